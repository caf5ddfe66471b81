package io.nixlkv.cli;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs command lines in this process, with the POSIX strategy from the class path. */
final class Cli {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Map<String, String> environment;
    private final byte[] input;

    Cli() {
        this(Map.of(), new byte[0]);
    }

    Cli(Map<String, String> environment, byte[] input) {
        this.environment = environment;
        this.input = input;
    }

    record Ended(int code, byte[] bytes, String err) {
        String out() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        List<String> outLines() {
            return out().lines().toList();
        }

        List<String> errLines() {
            return err.lines().toList();
        }

        /** Fails unless standard output is exactly one JSON document. */
        JsonNode json() throws IOException {
            return JSON.readTree(bytes);
        }
    }

    Ended run(Object... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] texts = new String[args.length];
        for (int i = 0; i < args.length; i++) {
            texts[i] = args[i].toString();
        }
        int code = NixlkvMain.run(
                texts,
                new Surroundings(
                        new ByteArrayInputStream(input),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        environment,
                        Path.of("no-plugins-here"),
                        false));
        return new Ended(code, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    /** A configuration for objects in {@code store}. */
    static Path config(Path directory, Path store, String... storeLines) throws IOException {
        Path file = directory.resolve("nixlkv.toml");
        Files.writeString(
                file,
                "[store]\nlayout = \"lmcache\"\n" + String.join("\n", storeLines)
                        + "\n[plugin.posix]\nactive = true\nfile_path = \"" + store + "\"\n");
        return file;
    }
}
