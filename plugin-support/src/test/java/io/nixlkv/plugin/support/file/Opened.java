package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.nativeio.FileTransfers.Kind;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An open file backend with one lane and a batch, for tests. */
final class Opened implements AutoCloseable {
    static final FileModes MODES = FileModes.of("0644", "0750");
    static final int ARENA_BYTES = 4 << 20;

    final FileBackend backend;
    final PackedBatch batch;
    boolean durable;
    private final MemoryArena arena = new DirectArena(ARENA_BYTES);
    private final Lane lane;

    Opened(boolean direct, Path... directories) {
        this("nio", direct, directories);
    }

    /** @param engine {@code nio} or a native one, whose tests are skipped where the library is absent */
    Opened(String engine, boolean direct, Path... directories) {
        FileSettings settings = new FileSettings("TEST", List.of(directories), direct, MODES);
        if (engine.equals("nio")) {
            backend = FileBackend.open(settings);
        } else {
            assumeUsable(engine);
            backend = FileBackend.open(settings, new NativeSettings(kind(engine), 2, 16), arena);
        }
        lane = backend.openLane();
        batch = new PackedBatch(arena, 64);
    }

    /** Skips the test where {@code engine} cannot be used. */
    static void assumeUsable(String engine) {
        Optional<String> problem = engine.equals("nio") ? Optional.empty() : NativeEngines.problem(kind(engine));
        assumeTrue(problem.isEmpty(), () -> problem.orElse(""));
    }

    private static Kind kind(String engine) {
        return Kind.valueOf(engine.toUpperCase(Locale.ROOT));
    }

    static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    }

    ByteBuffer memory() {
        return arena.segment(0);
    }

    void fill(int length, int seed) {
        for (int at = 0; at < length; at++) {
            memory().put(at, (byte) (seed + at * 31));
        }
    }

    void holds(int length, int seed) {
        for (int at = 0; at < length; at++) {
            assertEquals((byte) (seed + at * 31), memory().get(at), "byte " + at);
        }
    }

    Status create(String name, int length) {
        return run(Op.WRITE, Mode.CREATE, name, length, 0);
    }

    Status replace(String name, int length) {
        return run(Op.WRITE, Mode.REPLACE, name, length, 0);
    }

    Status read(String name, int length) {
        return run(Op.READ, Mode.CREATE, name, length, 0);
    }

    Status query(String name) {
        return run(Op.QUERY, Mode.CREATE, name, 0, 0);
    }

    Status delete(String name) {
        return run(Op.DELETE, Mode.CREATE, name, 0, 0);
    }

    Status run(Op op, Mode mode, String name, int length, long token) {
        batch.start(op, mode, durable, soon(), null);
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        batch.add(bytes, 0, bytes.length, 0, 0, 0, length, token);
        lane.execute(batch);
        return batch.status(0);
    }

    /** Creates {@code count} objects in one batch; the answers are in {@link #batch}. */
    void createAll(int count, int length) {
        batch.start(Op.WRITE, Mode.CREATE, durable, soon(), null);
        for (int i = 0; i < count; i++) {
            batch.add("many" + i, 0, 0, i * length, length);
        }
        lane.execute(batch);
    }

    /** Carries out what was added to {@link #batch}. */
    void execute() {
        lane.execute(batch);
    }

    Status slot(Op op, SlotPool pool, int slot, int length) {
        batch.start(op, Mode.REPLACE, durable, soon(), pool);
        batch.addSlot(slot, 0, 0, 0, length);
        lane.execute(batch);
        return batch.status(0);
    }

    /** A second lane with a batch of its own, for another thread. */
    Caller caller() {
        return new Caller(backend.openLane(), new PackedBatch(arena, 1));
    }

    /** One thread's lane. */
    record Caller(Lane lane, PackedBatch batch) implements AutoCloseable {
        Status slot(Op op, SlotPool pool, int slot, int length) {
            batch.start(op, Mode.REPLACE, false, soon(), pool);
            batch.addSlot(slot, 0, 0, slot * length, length);
            lane.execute(batch);
            return batch.status(0);
        }

        @Override
        public void close() {
            lane.close();
        }
    }

    String sentence() {
        return batch.sentence(0);
    }

    List<String> list(String prefix) {
        List<String> names = new ArrayList<>();
        backend.list(0, prefix, soon(), (name, length, lastUse) -> names.add(name));
        names.sort(null);
        return names;
    }

    /** Temporaries of all instances under {@code root}. */
    static List<Path> temporaries(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve(".nixlkv"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".lock")
                            && !file.toString().endsWith("publish.guard"))
                    .toList();
        }
    }

    @Override
    public void close() {
        lane.close();
        backend.drain(soon());
        backend.close();
    }
}
