package io.nixlkv.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NixlSearchTest {
    @TempDir
    Path temporary;

    private Path root;

    @BeforeEach
    void resolveLinks() throws IOException {
        root = temporary.toRealPath();
    }

    private Path wheel(String version) throws IOException {
        Path libraries = Files.createDirectories(root.resolve("site-packages/.nixl_cu12.mesonpy.libs"));
        Files.createDirectories(root.resolve("site-packages/nixl_cu12-" + version + ".dist-info"));
        Files.createFile(libraries.resolve("libnixl_capi.so"));
        return libraries;
    }

    @Test
    void theHomeMayBeTheFolderOfAWheelsLibraries() throws IOException {
        Path libraries = wheel("1.5.1");
        NixlInstallation found = NixlSearch.run(Map.of("NIXL_HOME", libraries.toString()))
                .installation()
                .orElseThrow();
        assertEquals(libraries.resolve("libnixl_capi.so"), found.library());
        assertEquals(libraries.resolve("plugins"), found.plugins());
        assertEquals(Optional.of("1.5.1"), found.version());
    }

    @ParameterizedTest
    @CsvSource({"NIXL_HOME, ''", "NIXL_PREFIX, lib", "NIXL_PREFIX, lib/x86_64-linux-gnu", "NIXL_LIBRARY_DIR, ''"})
    void variablesNameAFolderOrAPrefix(String variable, String inside) throws IOException {
        Path folder = Files.createDirectories(root.resolve(inside));
        Files.createFile(folder.resolve("libnixl_capi.so"));
        Files.createDirectories(folder.resolve("pkgconfig"));
        Files.writeString(folder.resolve("pkgconfig/nixl.pc"), "Name: nixl\nVersion: 1.3.0\n");
        NixlInstallation found =
                NixlSearch.run(Map.of(variable, root.toString())).installation().orElseThrow();
        assertEquals(folder.resolve("libnixl_capi.so"), found.library());
        assertEquals(Optional.of("1.3.0"), found.version());
    }

    @Test
    void itIsFoundBesideItsPluginsAndKeepsThem() throws IOException {
        Path libraries = wheel("1.5.1");
        Path plugins = Files.createDirectories(libraries.resolve("plugins"));
        NixlInstallation found = NixlSearch.run(Map.of("NIXL_PLUGIN_DIR", plugins.toString()))
                .installation()
                .orElseThrow();
        assertEquals(plugins, found.plugins());
        assertTrue(found.lacking("posix").orElseThrow().contains("libplugin_POSIX.so does not exist"));
        Files.createFile(plugins.resolve("libplugin_POSIX.so"));
        assertEquals(Optional.empty(), found.lacking("posix"));
    }

    @Test
    void itIsFoundInAVirtualEnvironment() throws IOException {
        Path packages = Files.createDirectories(root.resolve("lib/python3.11/site-packages/.nixl_cu13.mesonpy.libs"));
        Files.createFile(packages.resolve("libnixl_capi.so"));
        NixlInstallation found = NixlSearch.run(Map.of("VIRTUAL_ENV", root.toString()))
                .installation()
                .orElseThrow();
        assertEquals(packages.resolve("libnixl_capi.so"), found.library());
        assertEquals(Optional.empty(), found.version());
    }

    @Test
    void anOlderOneIsRefusedWithItsVersion() throws IOException {
        Path libraries = wheel("1.2.9");
        NixlSearch.Outcome outcome = NixlSearch.run(Map.of("NIXL_HOME", libraries.toString()));
        assertFalse(outcome.installation().isPresent());
        assertTrue(outcome.reason().contains("has NIXL 1.2.9, needed is 1.3 or newer"), outcome.reason());
    }

    @Test
    void aSourceInstallWithoutTheInterfaceIsNamed() throws IOException {
        Files.createDirectories(root.resolve("lib"));
        Files.createFile(root.resolve("lib/libnixl.so"));
        NixlSearch.Outcome outcome = NixlSearch.run(Map.of("NIXL_PREFIX", root.toString()));
        assertTrue(outcome.reason().contains("has NIXL without its C interface"), outcome.reason());
    }

    @Test
    void theReasonListsEveryPlaceAndWhatToDo() {
        String reason = NixlSearch.run(Map.of("NIXL_HOME", root.resolve("none").toString()))
                .reason();
        for (String part : new String[] {
            "NIXL_HOME = " + root.resolve("none") + " is no directory",
            "NIXL_PREFIX is not set",
            "NIXL_LIBRARY_DIR is not set",
            "NIXL_PLUGIN_DIR is not set",
            "the loader's path",
            "Python",
            "NIXL was not found",
            "pip install nixl-cu12"
        }) {
            assertTrue(reason.contains(part), reason);
        }
    }

    @ParameterizedTest
    @CsvSource({"1.3, true", "1.3.0, true", "1.10.2, true", "2.0.0rc1, true", "1.2.99, false", "0.9.1, false"})
    void versionsAreNumbers(String version, boolean enough) {
        assertEquals(enough, NixlVersion.newEnough(version));
    }
}
