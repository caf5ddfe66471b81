package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that write objects of their own into a static pool that drops objects when it is full. */
class FullPoolTest {
    @TempDir
    Path directory;

    private Path config;
    private Path in;

    @BeforeEach
    void fillTwoOfFour() throws Exception {
        config = Cli.config(
                directory,
                directory.resolve("pool"),
                "pool_size = 4",
                "slot_bytes = \"64KiB\"",
                "pool_full = \"evict\"");
        in = Files.write(directory.resolve("in"), new byte[1000]);
        put(0);
        put(1);
    }

    private void put(int number) {
        Cli.Ended ended = new Cli().run("put", "--config", config, "m@00000001@0@0" + number, in);
        assertEquals(0, ended.code(), ended.err());
    }

    private long objects() {
        return new Cli().run("ls", "--config", config).outLines().size();
    }

    @Test
    void benchWithoutRoomWritesNothing() {
        Cli.Ended refused = new Cli()
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
                        64);
        assertEquals(2, refused.code(), refused.out());
        assertEquals(
                "nixlkv: bench keeps all its 3 objects until it ends, and 2 of 4 slots are free; make --num-keys,"
                        + " --in-flight, --rounds or --warmup-rounds smaller\n",
                refused.err());
        Cli.Ended large = new Cli().run("bench", "--config", config, "--data-size-kb", 128);
        assertEquals(2, large.code());
        assertTrue(large.err().contains("131072 bytes does not fit a slot of slot_bytes = 65536"), large.err());
        assertEquals(2, objects());
    }

    @Test
    void benchInTheFreeSlotsLeavesTheOthersAlone() {
        Cli.Ended ended = new Cli()
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
                        "--warmup-rounds",
                        1,
                        "--data-size-kb",
                        64);
        assertEquals(0, ended.code(), ended.err());
        assertEquals(2, objects());
    }

    @Test
    void statusOfAFullPoolEvictsNothing() throws Exception {
        put(2);
        put(3);
        Cli.Ended status = new Cli().run("status", "--config", config);
        assertEquals(0, status.code(), status.err());
        assertTrue(
                status.outLines().contains("probe: full; nothing was written, since that would evict"), status.out());
        assertTrue(status.outLines().contains("slots_evicted: 0"), status.out());
        assertTrue(new Cli()
                .run("status", "--config", config, "--json")
                .json()
                .at("/probe/full")
                .asBoolean());
        assertEquals(4, objects());
    }
}
