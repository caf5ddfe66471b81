package io.nixlkv.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as it was assembled, run with the JDK that runs this test. */
class DistributionIT {
    private static final Path HOME = Path.of(System.getProperty("nixlkv.distribution"));
    private static final String JDK = System.getProperty("java.home");

    @TempDir
    Path directory;

    private record Ended(int code, String out, String err) {}

    private Ended run(Path program, Map<String, String> environment, String... args) throws Exception {
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", JDK);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "the command does not end");
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Ended run(String... args) throws Exception {
        return run(HOME.resolve("bin/nixlkv"), Map.of(), args);
    }

    @BeforeEach
    void archiveIsThere() throws Exception {
        assertEquals(0, run("--version").code(), "the first command with a JDK makes its archive");
    }

    /** The distribution again, in another place and without archives. */
    private Path copy(Path home) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib"));
        Files.createSymbolicLink(home.resolve("plugins"), HOME.resolve("plugins"));
        try (var jars = Files.newDirectoryStream(HOME.resolve("lib"), "*.jar")) {
            for (Path jar : jars) {
                Files.createSymbolicLink(home.resolve("lib").resolve(jar.getFileName()), jar);
            }
        }
        return Files.copy(HOME.resolve("bin/nixlkv"), home.resolve("bin/nixlkv"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    @Test
    void archiveIsAnnouncedOnce() throws Exception {
        Path program = copy(directory.resolve("again"));
        Ended first = run(program, Map.of(), "--version");
        assertEquals(0, first.code, first.err);
        assertEquals("nixlkv: preparing the class-data archive for this JDK (once)\n", first.err);
        Ended second = run(program, Map.of(), "--version");
        assertEquals(0, second.code, second.err);
        assertEquals("", second.err);
    }

    @Test
    void colonInThePathIsNamed() throws Exception {
        Path home = directory.toRealPath().resolve("kv:1");
        Ended ended = run(copy(home), Map.of(), "--version");
        assertEquals(2, ended.code);
        assertEquals(
                "nixlkv: the distribution lies in " + home
                        + ", and Java's class path cannot name a directory with a colon; move it to another one\n",
                ended.err);
    }

    @Test
    void currentDirectoryThatIsGoneIsNamed() throws Exception {
        Ended ended = run(
                Path.of("/bin/bash"),
                Map.of(),
                "-c",
                "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" plugins",
                HOME.resolve("bin/nixlkv").toString());
        assertEquals(2, ended.code, ended.err);
        String told = "nixlkv: the current directory does not exist any more; change to another one\n";
        assertTrue(ended.err.endsWith(told), ended.err);
    }

    @Test
    void missingTemporaryFolderIsNamed() throws Exception {
        Ended ended = run(
                Path.of("/bin/bash"),
                Map.of("NIXLKV_OPTS", "-Djava.io.tmpdir=/nowhere"),
                "-c",
                "echo x | \"$0\" put key -",
                HOME.resolve("bin/nixlkv").toString());
        assertEquals(1, ended.code, ended.err);
        // newer JVMs warn of the folder before
        assertTrue(ended.err.contains("nixlkv: no temporary file can be made: "), ended.err);
        assertTrue(ended.err.contains("make room in /nowhere"), ended.err);
    }

    @Test
    void classesComeFromTheArchive() throws Exception {
        Path log = directory.resolve("classes");
        Ended ended = run(HOME.resolve("bin/nixlkv"), Map.of("NIXLKV_OPTS", "-Xlog:class+load:file=" + log), "plugins");
        assertEquals(0, ended.code, ended.err);
        int archived = 0;
        int loaded = 0;
        for (String line : Files.readAllLines(log)) {
            // A plugin's own class loader is out of an archive's reach; what plugins share lies beside the host.
            boolean ofPlugin = line.contains("] io.nixlkv.plugin.") && !line.contains("] io.nixlkv.plugin.support.");
            if (line.contains("] io.nixlkv.") && !ofPlugin) {
                loaded++;
                archived += line.contains("source: shared objects file") ? 1 : 0;
            }
        }
        assertTrue(loaded > 50, "only " + loaded + " classes of nixlkv were loaded");
        assertTrue(archived >= 0.9 * loaded, archived + " of " + loaded + " classes came from the archive");
    }

    @Test
    void pluginIsFoundInItsFolder() throws Exception {
        Ended ended = run("plugins");
        assertEquals(0, ended.code, ended.err);
        assertTrue(ended.out.contains("nixlkv-posix-plugin-") && ended.out.contains("nio"), ended.out);
        assertEquals("", ended.err);
    }

    @Test
    void linkLeadsToTheDistribution() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), HOME.resolve("bin/nixlkv"));
        Path second = Files.createSymbolicLink(directory.resolve("second"), link.getFileName());
        assertEquals(0, run(second, Map.of(), "--version").code);
    }

    @Test
    void smallHeapTakesLargeBatches() throws Exception {
        Ended ended = run(
                HOME.resolve("bin/nixlkv"),
                Map.of("NIXLKV_OPTS", "-Xmx128m"),
                "bench",
                "--json",
                "--num-keys",
                "4097",
                "--in-flight",
                "1",
                "--data-size-kb",
                "4",
                "--rounds",
                "1",
                "--warmup-rounds",
                "0");
        assertEquals(0, ended.code, ended.err);
        assertTrue(ended.out.contains("\"total_success\" : 4097"), ended.out);
    }

    @Test
    void namesAreUtf8WhateverTheLocale() throws Exception {
        Path store = directory.resolve("store");
        Path config = directory.resolve("raw.toml");
        Files.writeString(
                config, "[store]\nlayout = \"raw\"\n[plugin.posix]\nactive = true\nfile_path = \"" + store + "\"\n");
        Path file = Files.write(directory.resolve("file"), "value".getBytes(StandardCharsets.UTF_8));
        Map<String, String> posix = Map.of("LC_ALL", "POSIX");
        // Through a shell, since this JVM may not be able to encode the name.
        Path script = directory.resolve("put");
        Files.writeString(
                script,
                "#!/bin/sh\nexec '" + HOME.resolve("bin/nixlkv") + "' put --config '" + config
                        + "' 'mod\u00e8le/\u5ba2\u6237' '" + file + "'\n");
        assertTrue(script.toFile().setExecutable(true));
        Ended put = run(script, posix);
        assertEquals(0, put.code, put.err);
        Ended ls = run(HOME.resolve("bin/nixlkv"), posix, "ls", "--config", config.toString());
        assertTrue(ls.out.endsWith("  mod\u00e8le/\u5ba2\u6237\n"), ls.out);
    }

    @Test
    void sampleConfigurationIsRight() throws Exception {
        String sample = Files.readString(HOME.resolve("conf/nixlkv.toml.sample"));
        Path config = directory.resolve("nixlkv.toml");
        Files.writeString(
                config,
                sample.replace(
                        "/tmp/hicache_storage", directory.resolve("store").toString()));
        Ended ended = run("status", "--config", config.toString());
        assertEquals(0, ended.code, ended.err);
        assertEquals("", ended.err);
    }

    @Test
    void optionsThatTheJvmRefusesAreNamedWithTheirVariable() throws Exception {
        Ended ended = run(HOME.resolve("bin/nixlkv"), Map.of("NIXLKV_OPTS", "-Xfoo"), "plugins");
        assertEquals(2, ended.code);
        assertEquals("nixlkv: java refuses the options in NIXLKV_OPTS: Unrecognized option: -Xfoo\n", ended.err);
    }

    /** The shell waits for both; the reader ends first. */
    @Test
    void readerThatEndsEarlyIsNoFailure() throws Exception {
        Ended ended = run(
                Path.of("/bin/bash"),
                Map.of(),
                "-c",
                "\"$0\" config reference | true; exit ${PIPESTATUS[0]}",
                HOME.resolve("bin/nixlkv").toString());
        assertEquals(0, ended.code, ended.err);
        assertEquals("", ended.err);
    }

    @Test
    void unusableJdkIsNamed() throws Exception {
        Ended none = run(HOME.resolve("bin/nixlkv"), Map.of("JAVA_HOME", directory.toString()), "plugins");
        assertEquals(2, none.code);
        assertTrue(none.err.startsWith("nixlkv: JAVA_HOME is " + directory), none.err);
        Path old = oldJdk();
        Ended eleven = run(HOME.resolve("bin/nixlkv"), Map.of("JAVA_HOME", old.toString()), "plugins");
        assertEquals(2, eleven.code);
        assertTrue(eleven.err.contains("Java 17 or newer is needed"), eleven.err);
    }

    private Path oldJdk() throws IOException {
        Path jdk = directory.resolve("jdk-11");
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        Path java = Files.writeString(jdk.resolve("bin/java"), "#!/bin/sh\nexit 1\n");
        assertTrue(java.toFile().setExecutable(true));
        return jdk;
    }
}
