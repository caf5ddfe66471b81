package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a store that holds at most 1 MiB. */
class CapacityCommandsTest {
    private static final String LIMIT = "max_capacity_gb = 0.0009765625";

    @TempDir
    Path directory;

    private Path store;
    private Path config;
    private Path quarter;

    @BeforeEach
    void fillThreeQuarters() throws Exception {
        store = directory.resolve("store");
        config = Cli.config(directory, store, LIMIT, "eviction = \"none\"");
        quarter = Files.write(directory.resolve("quarter"), new byte[256 << 10]);
        for (int i = 0; i < 3; i++) {
            assertEquals(0, put(i).code());
        }
    }

    private Cli.Ended put(int number) {
        return new Cli().run("put", "--config", config, "m@00000001@0@0" + number, quarter);
    }

    private long objects() {
        return new Cli().run("ls", "--config", config).outLines().size();
    }

    @Test
    void putCountsWhatOtherCommandsStored() {
        assertEquals(0, put(3).code());
        Cli.Ended refused = put(4);
        assertEquals(1, refused.code(), refused.out());
        assertTrue(refused.err().contains("max_capacity_gb (1048576 bytes) is used up"), refused.err());
        assertEquals(4, objects());
        assertEquals(0, put(3).code(), "what is there already takes no room");
    }

    @Test
    void importEndsAtTheLimit() throws Exception {
        Path source = Files.createDirectory(directory.resolve("source"));
        for (int i = 0; i < 3; i++) {
            Files.write(source.resolve("m@0x00000002@0@0" + i + ".data"), new byte[256 << 10]);
        }
        Cli.Ended ended = new Cli().run("import", "--config", config, "--from", source);
        assertEquals(1, ended.code(), ended.out());
        assertTrue(ended.out().contains("copied 1 objects, 262144 bytes"), ended.out());
        assertEquals(4, objects());
    }

    @Test
    void benchThatWouldPassTheLimitWritesNothing() {
        Object[] line = {"bench", "--config", config, "--num-keys", 1, "--in-flight", 1, "--rounds", 2};
        Cli.Ended refused = new Cli().run(line);
        assertEquals(2, refused.code(), refused.out());
        assertEquals(
                "nixlkv: bench keeps all its 4 objects, 1048576 bytes, until it ends, and 262144 bytes are free below"
                        + " max_capacity_gb; make --num-keys, --in-flight, --data-size-kb, --rounds or --warmup-rounds"
                        + " smaller\n",
                refused.err());
        assertEquals(3, objects());
    }

    /** The watermark is at 80 %: a round more would have a user's object evicted. */
    @Test
    void benchNeverEvicts() throws Exception {
        config = Cli.config(directory, store, LIMIT, "eviction = \"lru\"");
        String[] small = {"bench", "--num-keys", "1", "--in-flight", "1", "--rounds", "2", "--warmup-rounds", "0"};
        Object[] line = {small[0], "--config", config, small[1], small[2], small[3], small[4], small[5], small[6]};
        assertEquals(2, new Cli().run(line).code());
        assertEquals(
                0,
                new Cli()
                        .run(
                                "bench",
                                "--config",
                                config,
                                "--num-keys",
                                1,
                                "--in-flight",
                                1,
                                "--rounds",
                                1,
                                "--data-size-kb",
                                8)
                        .code());
        assertEquals(3, objects());
    }

    @Test
    void statusOfAFullStoreWritesNothing() throws Exception {
        assertEquals(0, put(3).code());
        config = Cli.config(directory, store, LIMIT, "eviction = \"lru\"");
        Cli.Ended status = new Cli().run("status", "--config", config);
        assertEquals(0, status.code(), status.err());
        assertTrue(
                status.outLines().contains("probe: full; nothing was written, since that would evict"), status.out());
        assertEquals(4, objects());
    }

    @Test
    void readingCommandsDoNotWarn() throws Exception {
        for (String command : new String[] {"ls", "status"}) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            NixlkvMain.class.getName(),
                            command,
                            "--config",
                            config.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String err = new String(process.getErrorStream().readAllBytes());
            assertEquals(0, process.waitFor(), err);
            assertTrue(!err.contains("max_capacity_gb"), err);
        }
    }
}
