package io.nixlkv.it;

import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.plugin.support.nixl.NixlObjectBackend;
import io.nixlkv.plugin.support.nixl.NixlObjectNames;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Native NIXL's own plugin for an object store, driven through NIXL's C interface: the bytes and requests are NIXL's. */
final class NativeObjects implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    private static final int MAX_KEY_BYTES = 1024;
    private static final int SLOTS = 8;
    private static final long ARENA = 4L << 20;

    private final Memory arena = new Memory(new NativeMemory(ARENA, NativeMemory.Pages.ORDINARY));
    private final NixlObjectBackend backend;
    private final Lane lane;

    /** The test is skipped where NIXL is not installed. */
    NativeObjects(ObjectPlace place) {
        Map<String, String> parameters = new HashMap<>(place.settings());
        String plugin = "AZURE_BLOB";
        if (place.plugin().equals("obj")) {
            plugin = "OBJ";
            parameters.put("endpoint_override", "http://" + place.address());
            parameters.put("scheme", "http");
            parameters.put("region", "us-east-1");
            parameters.put("req_checksum", "required");
        }
        Optional<String> problem = NixlEngine.problem(plugin);
        Assumptions.assumeTrue(problem.isEmpty(), () -> "no native NIXL: " + problem.get());
        backend = NixlObjectBackend.open(
                plugin, NixlSettings.of(plugin, parameters, SLOTS), NixlObjectNames.any(MAX_KEY_BYTES), arena);
        lane = backend.openLane();
    }

    void put(String key, byte[] value) {
        arena.segment(0).put(0, value);
        run(Op.WRITE, key, value.length);
    }

    /** Reads an object of exactly {@code length} bytes. */
    byte[] get(String key, int length) {
        arena.segment(0).put(0, new byte[length]);
        run(Op.READ, key, length);
        byte[] value = new byte[length];
        arena.segment(0).get(0, value);
        return value;
    }

    private void run(Op op, String key, int length) {
        PackedBatch batch = new PackedBatch(arena, 1);
        batch.start(op, Mode.REPLACE, false, System.nanoTime() + PATIENCE, null);
        batch.add(key, 0, 0, 0, length);
        lane.execute(batch);
        if (batch.status(0) != Status.DONE) {
            throw new AssertionError(
                    "native NIXL, " + op + " of " + key + ": " + batch.status(0) + " " + batch.sentence(0));
        }
    }

    @Override
    public void close() {
        lane.close();
        backend.close();
        arena.memory.close();
    }

    /** Memory with an address, which NIXL registers. */
    private record Memory(NativeMemory memory) implements MemoryArena {
        @Override
        public int segments() {
            return memory.segments();
        }

        @Override
        public ByteBuffer segment(int index) {
            return memory.segment(index);
        }

        @Override
        public long address(int segment) {
            return memory.address(segment);
        }
    }
}
