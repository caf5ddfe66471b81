package io.nixlkv.plugin.posix;

import com.sun.management.UnixOperatingSystemMXBean;
import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsNixl;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** What a process with few open files does in {@link FewOpenFilesTest}, one line said for each thing done. */
final class FewOpenFilesChild {
    private static final int LENGTH = 4096;
    private static final int COUNT = 4097;
    private static final int LANES = 4;
    private static final int FOLDERS = 16;
    private static final UnixOperatingSystemMXBean SYSTEM =
            (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final MemoryArena arena = MappedArena.whereThereIsOne((long) COUNT * LENGTH);
    private final List<Lane> lanes = new ArrayList<>();
    private final List<PackedBatch> batches = new ArrayList<>();

    public static void main(String[] arguments) throws IOException, InterruptedException {
        NeedsNixl.Condition.useInstalled();
        System.out.println("limit " + SYSTEM.getMaxFileDescriptorCount());
        Path root = Path.of(arguments[1]);
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
        PosixStrategy strategy = new PosixStrategy();
        ParameterValues config = ParameterValues.of(
                strategy.info().parameters(), Map.of("file_path", root.toString(), "use_direct_io", "false"));
        FewOpenFilesChild child = new FewOpenFilesChild();
        try (StorageBackend backend = strategy.open(new OpenContext(arguments[0], config, child.arena, LANES))) {
            child.run(backend);
        }
    }

    private void run(StorageBackend backend) throws IOException, InterruptedException {
        for (int i = 0; i < LANES; i++) {
            lanes.add(backend.openLane());
            batches.add(new PackedBatch(arena, COUNT));
        }
        // what is needed for words is loaded while files can be opened
        for (Op op : List.of(Op.WRITE, Op.READ)) {
            batches.get(0).start(op, Mode.REPLACE, false, soon(), null);
            batches.get(0).add("loop/k", 0, 0, 0, LENGTH);
            lanes.get(0).execute(batches.get(0));
        }
        one("warm", FOLDERS);
        long before = SYSTEM.getOpenFileDescriptorCount();
        one("one lane", COUNT);
        for (Op op : List.of(Op.WRITE, Op.READ)) {
            several(op);
        }
        flat(Mode.REPLACE);
        List<Closeable> taken = new ArrayList<>();
        takeAll(taken);
        flat(Mode.CREATE);
        tell("no file free and present", 1);
        for (Op op : List.of(Op.WRITE, Op.READ)) {
            takeAll(taken);
            run(0, op, FOLDERS * FOLDERS, 64);
            tell("no file free " + op, 1);
        }
        for (Closeable file : taken) {
            file.close();
        }
        for (Op op : List.of(Op.WRITE, Op.READ)) {
            run(0, op, FOLDERS * FOLDERS, 64);
            tell("free again " + op, 1);
        }
        long open = SYSTEM.getOpenFileDescriptorCount();
        System.out.println(open <= before ? "every file is closed" : open - before + " more files are open");
        lanes.forEach(Lane::close);
    }

    private void one(String phase, int count) {
        fill();
        run(0, Op.WRITE, 0, count);
        String written = summary(1);
        clear();
        run(0, Op.READ, 0, count);
        if (!phase.equals("warm")) {
            System.out.println(phase + " " + Op.WRITE + " " + written);
            tell(phase + " " + Op.READ, 1);
            check();
        }
    }

    private void several(Op op) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < LANES; i++) {
            int lane = i;
            threads.add(new Thread(() -> run(lane, op, lane * 1024, 1024)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        tell("several lanes " + op, LANES);
    }

    private void run(int lane, Op op, int first, int count) {
        PackedBatch batch = batches.get(lane);
        batch.start(op, Mode.REPLACE, false, soon(), null);
        for (int i = first; i < first + count; i++) {
            batch.add(i / FOLDERS + "/" + i % FOLDERS, 0, 0, i * LENGTH, LENGTH);
        }
        lanes.get(lane).execute(batch);
    }

    /** Objects that lie in the directory itself, so that no other has to be opened. */
    private void flat(Mode mode) {
        PackedBatch batch = batches.get(0);
        batch.start(Op.WRITE, mode, false, soon(), null);
        for (int i = 0; i < FOLDERS; i++) {
            batch.add("flat" + i, 0, 0, i * LENGTH, LENGTH);
        }
        lanes.get(0).execute(batch);
    }

    private void tell(String phase, int of) {
        System.out.println(phase + " " + summary(of));
    }

    /** How the items of the first {@code of} batches ended, and what is said about the first that is not done. */
    private String summary(int of) {
        Map<String, Integer> ended = new TreeMap<>();
        String sentence = "";
        for (PackedBatch batch : batches.subList(0, of)) {
            for (int item = 0; item < batch.size(); item++) {
                ended.merge(batch.status(item) + " " + batch.code(item), 1, Integer::sum);
                if (sentence.isEmpty() && batch.sentence(item) != null && batch.status(item) != Status.DONE) {
                    sentence = " " + batch.sentence(item);
                }
            }
        }
        return ended + sentence;
    }

    private void fill() {
        ByteBuffer memory = arena.segment(0);
        for (int at = 0; at < COUNT * LENGTH; at += Integer.BYTES) {
            memory.putInt(at, at * 31);
        }
    }

    private void clear() {
        ByteBuffer memory = arena.segment(0);
        for (int at = 0; at < COUNT * LENGTH; at += Integer.BYTES) {
            memory.putInt(at, -1);
        }
    }

    private void check() {
        ByteBuffer memory = arena.segment(0);
        for (int at = 0; at < COUNT * LENGTH; at += Integer.BYTES) {
            if (memory.getInt(at) != at * 31) {
                System.out.println("wrong content at " + at);
                return;
            }
        }
    }

    /** Opens files as long as it can. */
    private static void takeAll(List<Closeable> taken) {
        while (true) {
            try {
                InputStream file = Files.newInputStream(Path.of("/dev/null"));
                taken.add(file);
            } catch (IOException noneLeft) {
                return;
            }
        }
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    }
}
