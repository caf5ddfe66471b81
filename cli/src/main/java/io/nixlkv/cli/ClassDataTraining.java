package io.nixlkv.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Runs every command once, so that the JVM that records a class-data archive sees the classes they need. Started by the launcher,
 * not by people; prints nothing.
 */
public final class ClassDataTraining {
    private static final String KEY = "training@00000000@0@0011";

    private ClassDataTraining() {}

    /** Takes no arguments. Exits with 1 if a command failed. */
    public static void main(String[] args) throws IOException {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        Surroundings around = new Surroundings(
                new ByteArrayInputStream(new byte[0]),
                nowhere,
                nowhere,
                Map.of(),
                PluginsFolder.ofThisProcess(),
                false);
        Path directory = Files.createTempDirectory("nixlkv-training-");
        int code;
        try {
            code = train(directory, around);
        } finally {
            TemporaryTree.delete(directory);
        }
        System.exit(code);
    }

    private static int train(Path directory, Surroundings around) throws IOException {
        Path config = directory.resolve("nixlkv.toml");
        Path file = directory.resolve("object");
        Files.writeString(
                config,
                "[store]\nlayout = \"lmcache\"\n[plugin.posix]\nactive = true\nfile_path = \""
                        + directory.resolve("store") + "\"\n");
        Files.write(file, new byte[4096]);
        String[][] lines = {
            {"plugins"},
            {"plugins", "--json"},
            {"bench", "--num-keys", "2", "--in-flight", "2", "--data-size-kb", "4", "--rounds", "1"},
            {"put", "--config", config.toString(), KEY, file.toString()},
            {"get", "--config", config.toString(), KEY, file.toString()},
            {"exists", "--config", config.toString(), KEY},
            {"ls", "--config", config.toString()},
            {"status", "--config", config.toString()},
            {"rm", "--config", config.toString(), KEY},
            {"config", "check", config.toString()},
            {"--help"}
        };
        int worst = ExitCode.OK;
        for (String[] line : lines) {
            worst = Math.max(worst, NixlkvMain.run(line, around));
        }
        return worst == ExitCode.OK ? ExitCode.OK : ExitCode.FAILED;
    }
}
