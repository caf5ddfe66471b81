package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where plugins may lie, and what discovery leaves behind: nothing. */
class PluginsFolderTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @TempDir
    Path temp;

    @Test
    void aPathWithSpacesPercentSignsAndPlus() throws IOException {
        assertGoodIsFoundIn(Files.createDirectories(temp.resolve("my plugins/e%20x+y#z!")), "good one!.jar");
    }

    @Test
    void aPathThatIsNotAscii() throws IOException {
        assumeTrue(isUtf8(), "file names of this JVM are not UTF-8");
        assertGoodIsFoundIn(Files.createDirectories(temp.resolve("my plugins/\u00e9%20x/\u8def")), "\u00e9.jar");
    }

    @Test
    void aNameThatTheLocaleCannotExpressIsReported() throws Exception {
        assumeTrue(isUtf8(), "file names of this JVM are not UTF-8");
        TestJar.good(temp, "good.jar", "GOOD");
        TestJar.good(temp, "\u00e9.jar", "OTHER");
        List<String> lines = discoverInChild("C");
        assertTrue(lines.contains("found GOOD good.jar"), lines::toString);
        assertTrue(
                lines.stream().anyMatch(line -> line.contains("run with a UTF-8 locale such as LC_ALL=C.UTF-8")),
                lines::toString);
    }

    @Test
    void aLinkToTheFolderAndALinkToAJar() throws IOException {
        Path real = Files.createDirectory(temp.resolve("real"));
        Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        TestJar.good(elsewhere, "posix-1.jar", "LINKED");
        Files.createSymbolicLink(real.resolve("posix.jar"), elsewhere.resolve("posix-1.jar"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), real);
        assertGoodIsFoundIn(link, "good.jar");
        try (PluginCatalog catalog = PluginCatalog.discover(link)) {
            assertEquals("posix.jar", catalog.find("LINKED").orElseThrow().source());
        }
    }

    @Test
    void aReadOnlyFileSystem() throws Exception {
        Path mount = Files.createDirectory(temp.resolve("mount"));
        assumeTrue(ran("mount", "-t", "tmpfs", "none", mount.toString()), "a tmpfs cannot be mounted here");
        try {
            TestJar.good(mount, "good.jar", "GOOD");
            assertTrue(ran("mount", "-o", "remount,ro", mount.toString()));
            assertFalse(canWrite(mount));
            try (PluginCatalog catalog = PluginCatalog.discover(mount)) {
                assertEquals(List.of("GOOD"), PluginFolder.namesFromJars(catalog));
            }
        } finally {
            assertTrue(ran("umount", mount.toString()), "closed, so that nothing keeps the mount busy");
        }
    }

    @Test
    void filesOfPf4jDoNotDisableAnything() throws IOException {
        TestJar.good(temp, "good.jar", "GOOD");
        Files.writeString(temp.resolve("disabled.txt"), "good\n");
        Files.writeString(temp.resolve("enabled.txt"), "other\n");
        try (PluginCatalog catalog = PluginCatalog.discover(temp)) {
            assertEquals(List.of("GOOD"), PluginFolder.namesFromJars(catalog));
        }
        assertEquals(List.of("disabled.txt", "enabled.txt", "good.jar"), namesIn(temp));
    }

    @Test
    void twoHundredJars() {
        StrategySource source = StrategySource.of("acme.Numbered", "X")
                .withMembers("private String name() { try (var in = getClass().getResourceAsStream(\"/name\")) {"
                        + " return new String(in.readAllBytes()); }"
                        + " catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); } }")
                .replacing("\"X\"", "name()");
        byte[] compiled = SourceCompiler.compile(List.of(source)).get("acme.Numbered");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            names.add("S%03d".formatted(i));
            TestJar.at(temp, "plugin-%03d.jar".formatted(i))
                    .entry("acme/Numbered.class", compiled)
                    .serviceLine("acme.Numbered")
                    .entry("name", "S%03d".formatted(i))
                    .write();
        }
        try (PluginCatalog catalog = PluginCatalog.discover(temp)) {
            assertEquals(names, PluginFolder.namesFromJars(catalog));
            assertEquals(List.of(), catalog.rejections());
        }
        assertEquals(List.of(), openIn(temp));
    }

    @Test
    void noJarStaysOpenAfterCloseWhateverItsPluginDid() throws IOException {
        assumeTrue(Files.isDirectory(DESCRIPTORS), "no /proc/self/fd here");
        TestJar.good(temp, "good.jar", "GOOD");
        StrategySource bad = StrategySource.of("acme.Bad", "BAD");
        TestJar.at(temp, "absent.jar").strategy(bad).leavingOut("acme.Bad").write();
        TestJar.at(temp, "throws.jar")
                .strategy(bad.withConstructor("throw new StackOverflowError();"))
                .write();
        TestJar.at(temp, "newer.jar")
                .strategy(bad)
                .classFileVersion("acme.Bad", 99)
                .write();
        TestJar.at(temp, "no-services.jar").withoutServices().write();
        TestJar.at(temp, "no-manifest.jar").strategy(bad).withoutManifest().write();
        TestJar.at(temp, "other-spi.jar")
                .strategy(bad)
                .manifest("Plugin-Requires", "^9.0.0")
                .write();
        TestJar.at(temp, "dependent.jar")
                .strategy(bad)
                .manifest("Plugin-Dependencies", "ghost")
                .write();
        TestJar.at(temp, "second.jar")
                .manifest("Plugin-Dependencies", "good")
                .strategy(StrategySource.of("acme.Second", "SECOND"))
                .write();
        Files.writeString(temp.resolve("text.jar"), "text");
        PluginCatalog catalog = PluginCatalog.discover(temp);
        assertTrue(openIn(temp).contains("good.jar"), "the good one is open as long as it is used");
        catalog.close();
        assertEquals(List.of("GOOD", "SECOND"), PluginFolder.namesFromJars(catalog));
        assertEquals(8, catalog.rejections().size(), () -> catalog.rejections().toString());
        assertEquals(List.of(), openIn(temp));
    }

    @Test
    void aJarMayBeReplacedBetweenTwoCatalogs() {
        TestJar.good(temp, "good.jar", "GOOD");
        PluginCatalog.discover(temp).close();
        TestJar.at(temp, "good.jar")
                .manifest("Plugin-Version", "2.0.0")
                .strategy(StrategySource.of("acme.next.Strategy", "NEXT"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(temp)) {
            assertEquals(List.of("NEXT"), PluginFolder.namesFromJars(catalog));
            assertEquals("2.0.0", catalog.find("NEXT").orElseThrow().version());
        }
    }

    /** Prints what is found in the folder given as the first argument. */
    public static void main(String[] arguments) {
        try (PluginCatalog catalog = PluginCatalog.discover(Path.of(arguments[0]))) {
            catalog.strategies()
                    .forEach(f -> System.out.println("found " + f.info().name() + " " + f.source()));
            catalog.rejections().forEach(r -> System.out.println("refused " + r.source() + " " + r.reason()));
        }
    }

    private List<String> discoverInChild(String locale) throws IOException, InterruptedException {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                PluginsFolderTest.class.getName(),
                temp.toString());
        java.environment().put("LC_ALL", locale);
        java.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process child = java.start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(child.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, child.exitValue(), output);
        return output.lines().toList();
    }

    private static void assertGoodIsFoundIn(Path folder, String file) {
        TestJar.good(folder, file, "GOOD");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(file, catalog.find("GOOD").orElseThrow().source());
            assertEquals(List.of(), catalog.rejections());
        }
    }

    private static boolean isUtf8() {
        return "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
    }

    private static boolean canWrite(Path folder) {
        try {
            Files.createTempFile(folder, "probe", "");
            return true;
        } catch (IOException readOnly) {
            return false;
        }
    }

    private static boolean ran(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    private static List<String> namesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Names of the files below {@code folder} that this process has open. */
    private static List<String> openIn(Path folder) {
        TreeSet<String> open = new TreeSet<>();
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            Path real = folder.toRealPath();
            for (Path descriptor : descriptors.toList()) {
                Path target = target(descriptor);
                if (target.startsWith(real)) {
                    open.add(target.getFileName().toString());
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return List.copyOf(open);
    }

    private static Path target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (NoSuchFileException closedMeanwhile) {
            return descriptor;
        }
    }
}
