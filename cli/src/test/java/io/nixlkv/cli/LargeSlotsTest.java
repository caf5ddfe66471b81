package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command on a static pool whose slots are larger than the memory that a command takes by itself. */
class LargeSlotsTest {
    private static final String KEY = "m@00000001@0@00";

    @TempDir
    Path directory;

    private Cli.Ended ok(Object... line) {
        Cli.Ended ended = new Cli().run(line);
        assertEquals(0, ended.code(), () -> line[0] + ": " + ended.err());
        return ended;
    }

    @Test
    void everyCommandOpensThePool() throws Exception {
        Path config = Cli.config(
                directory, directory.resolve("pool"), "pool_size = 3", "slot_bytes = \"4MiB\"", "arena_gb = 1");
        byte[] content = new byte[3 << 20];
        new Random(1).nextBytes(content);
        Path in = Files.write(directory.resolve("in"), content);
        Path out = directory.resolve("out");
        Path source = Files.createDirectory(directory.resolve("source"));
        Files.write(source.resolve("m@0x00000002@0@01.data"), new byte[10]);

        ok("put", "--config", config, KEY, in);
        ok("get", "--config", config, KEY, out);
        assertArrayEquals(content, Files.readAllBytes(out));
        ok("exists", "--config", config, KEY);
        ok("status", "--config", config);
        ok("import", "--config", config, "--from", source);
        ok("bench", "--config", config, "--num-keys", 1, "--in-flight", 1, "--rounds", 1, "--warmup-rounds", 0);
        ok("rm", "--config", config, KEY);
        assertTrue(ok("ls", "--config", config).out().endsWith("  m@00000002@0@01\n"));
        assertEquals(1, ok("ls", "--config", config).outLines().size());
    }
}
