package io.nixlkv.plugin.support.testing;

import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An open object backend with an arena, for tests of single requests. Object {@code i} of a batch has the {@code i}-th slice. */
public class OpenObjects implements AutoCloseable {
    public static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    private static final long ARENA = 96L << 20;

    public final DirectArena arena = new DirectArena(ARENA);
    public final StorageBackend backend;
    private final Lane lane;

    /** Opens {@code strategy} with its engine of that name; {@link #close()} closes it. */
    public OpenObjects(StorageStrategy strategy, String engine, Map<String, String> config) {
        backend = strategy.open(
                new OpenContext(engine, ParameterValues.of(strategy.info().parameters(), config), arena, 2));
        lane = backend.openLane();
    }

    /** {@code config} with {@code more} on top. */
    public static Map<String, String> with(Map<String, String> config, String... more) {
        Map<String, String> all = new HashMap<>(config);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    /** Bytes that tell objects apart: {@code (seed + i * 31) mod 251}. */
    public static byte pattern(int seed, int at) {
        return (byte) ((seed + at * 31L) % 251);
    }

    /** One request of {@code count} objects called {@code name} and, from the second on, {@code name-i}. */
    public PackedBatch run(Op op, Mode mode, long nanos, String name, int count, int length) {
        PackedBatch batch = new PackedBatch(arena, count);
        batch.start(op, mode, false, System.nanoTime() + nanos, null);
        boolean moves = op == Op.WRITE || op == Op.READ;
        for (int i = 0; i < count; i++) {
            batch.add(i == 0 ? name : name + "-" + i, 0, 0, moves ? i * length : 0, moves ? length : 0);
        }
        lane.execute(batch);
        return batch;
    }

    public PackedBatch write(String name, int length) {
        fill(length);
        return run(Op.WRITE, Mode.REPLACE, PATIENCE, name, 1, length);
    }

    public PackedBatch create(String name, int length) {
        fill(length);
        return run(Op.WRITE, Mode.CREATE, PATIENCE, name, 1, length);
    }

    /** Reads after the slice was overwritten with 0x5a. */
    public PackedBatch read(String name, int length) {
        scribble(length);
        return run(Op.READ, Mode.REPLACE, PATIENCE, name, 1, length);
    }

    public PackedBatch query(String name) {
        return run(Op.QUERY, Mode.REPLACE, PATIENCE, name, 1, 0);
    }

    public void fill(int length) {
        ByteBuffer memory = arena.segment(0);
        for (int i = 0; i < length; i++) {
            memory.put(i, pattern(7, i));
        }
    }

    public void scribble(int length) {
        ByteBuffer memory = arena.segment(0);
        for (int i = 0; i < length; i++) {
            memory.put(i, (byte) 0x5a);
        }
    }

    /** Whether the first slice holds what {@link #fill} wrote. */
    public boolean holds(int length) {
        ByteBuffer memory = arena.segment(0);
        for (int i = 0; i < length; i++) {
            if (memory.get(i) != pattern(7, i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the first slice still holds what {@link #scribble} wrote. */
    public boolean untouched(int length) {
        ByteBuffer memory = arena.segment(0);
        for (int i = 0; i < length; i++) {
            if (memory.get(i) != 0x5a) {
                return false;
            }
        }
        return true;
    }

    public static String told(PackedBatch batch) {
        Status status = batch.status(0);
        return status + " " + batch.code(0) + ": " + batch.sentence(0);
    }

    @Override
    public void close() {
        lane.close();
        backend.drain(System.nanoTime() + PATIENCE);
        backend.close();
    }
}
