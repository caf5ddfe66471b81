package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileModesTest {
    @ParameterizedTest
    @CsvSource({"0644,0750", "600,700", "0666,0777"})
    void accepts(String file, String directory) {
        assertTrue(FileModes.problem(file, directory).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "0755,0750,executable",
        "0444,0750,owner",
        "0644,0650,owner",
        "abc,0750,octal",
        "0644,0888,octal",
        "4644,0750,octal"
    })
    void refuses(String file, String directory, String word) {
        assertTrue(FileModes.problem(file, directory).orElseThrow().contains(word));
    }

    @Test
    void filesAreNeverExecutable(@TempDir Path temporary) throws IOException {
        Path root = temporary.resolve("a/b");
        try (Opened store = new Opened(false, root)) {
            store.create("x/y", 100);
        }
        Set<PosixFilePermission> file = Files.getPosixFilePermissions(root.resolve("x/y"));
        assertFalse(PosixFilePermissions.toString(file).contains("x"));
        assertTrue(file.contains(PosixFilePermission.OWNER_WRITE));
        for (String directory : new String[] {"", "x", ".nixlkv"}) {
            Set<PosixFilePermission> bits = Files.getPosixFilePermissions(root.resolve(directory));
            assertEquals("rwx", PosixFilePermissions.toString(bits).substring(0, 3));
            assertEquals("---", PosixFilePermissions.toString(bits).substring(6));
        }
    }
}
