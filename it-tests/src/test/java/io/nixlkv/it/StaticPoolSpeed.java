package io.nixlkv.it;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Measures a static pool against plain positional writes and reads of one preallocated file: buffered, sync off, the same memory, the
 * same number of threads. Both sides go round through the same number of bytes of their file. Pairs in random order inside each round; the median of the pairs' ratios, and of an A/A pair beside it.
 * Arguments: folder, bytes of an object, threads.
 */
final class StaticPoolSpeed {
    private static final int OBJECTS = 64;
    private static final int GROUPS = 8;
    private static final int WARM_UP = 300;
    private static final int PAIRS = 101;

    private interface Side {
        void run() throws Exception;
    }

    private StaticPoolSpeed() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory(Path.of(arguments[0]), "pool-speed");
        int bytes = Integer.parseInt(arguments[1]);
        int threads = Integer.parseInt(arguments[2]);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (PackedHost host = new PackedHost();
                KvStore store = host.posix(
                        folder.toString(),
                        false,
                        "layout = \"raw\"\npool_size = " + (GROUPS + 1) * OBJECTS + "\nslot_bytes = " + bytes
                                + "\nnum_workers = " + threads);
                ArenaLease lease = store.arena().lease(OBJECTS * bytes, Duration.ofSeconds(1));
                FileChannel file = preallocated(folder.resolve("plain"), (GROUPS + 1) * OBJECTS * bytes)) {
            new Random(1).ints(OBJECTS * bytes / 4L).forEach(new IntFiller(lease.buffer()));
            List<List<KvObject>> groups = new ArrayList<>();
            for (int group = 0; group < GROUPS; group++) {
                List<KvObject> objects = new ArrayList<>();
                for (int i = 0; i < OBJECTS; i++) {
                    objects.add(new KvObject(new RawKey("g" + group + "k" + i), lease.slice(i * bytes, bytes)));
                }
                groups.add(objects);
            }
            CallOptions replace = CallOptions.DEFAULT.with(Mode.REPLACE);
            int[] turns = new int[4];
            long groupBytes = (long) OBJECTS * bytes;
            Side plainWrite = () -> {
                long from = turns[0]++ % (GROUPS + 1) * groupBytes;
                plain(pool, threads, lease.buffer(), bytes, (view, at) -> file.write(view, from + at));
            };
            Side plainRead = () -> {
                long from = turns[1]++ % GROUPS * groupBytes;
                plain(pool, threads, lease.buffer(), bytes, (view, at) -> file.read(view, from + at));
            };
            Side ourWrite = () -> require(
                    store.store(groups.get(turns[2]++ % GROUPS), replace).allOk());
            Side ourRead = () -> require(store.load(groups.get(turns[3]++ % GROUPS), CallOptions.DEFAULT)
                    .allOk());
            System.out.printf(
                    "%d objects of %d bytes, buffered, sync false, %d threads, page cache warm, engine %s%n",
                    OBJECTS, bytes, threads, store.status().engine());
            report("store", plainWrite, ourWrite, OBJECTS * (long) bytes);
            report("load", plainRead, ourRead, OBJECTS * (long) bytes);
        } finally {
            pool.shutdown();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path left :
                        files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(left);
                }
            }
        }
    }

    private record IntFiller(ByteBuffer target) implements java.util.function.IntConsumer {
        @Override
        public void accept(int value) {
            target.putInt(value);
        }
    }

    private static FileChannel preallocated(Path path, int bytes) throws IOException {
        FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        file.write(ByteBuffer.allocate(bytes), 0);
        return file;
    }

    private interface Io {
        int run(ByteBuffer view, long at) throws IOException;
    }

    private static void plain(ExecutorService pool, int threads, ByteBuffer memory, int bytes, Io io) throws Exception {
        List<Future<?>> parts = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int from = OBJECTS * thread / threads;
            int to = OBJECTS * (thread + 1) / threads;
            parts.add(pool.submit(() -> {
                for (int i = from; i < to; i++) {
                    require(io.run(memory.slice(i * bytes, bytes), (long) i * bytes) == bytes);
                }
                return null;
            }));
        }
        for (Future<?> part : parts) {
            part.get();
        }
    }

    private static void report(String what, Side plain, Side ours, long bytes) throws Exception {
        Random random = new Random();
        double[] ratios = new double[PAIRS];
        double[] same = new double[PAIRS];
        double[] rates = new double[PAIRS];
        for (int i = -WARM_UP; i < PAIRS; i++) {
            boolean plainFirst = random.nextBoolean();
            long a = plainFirst ? time(plain) : 0;
            long b = time(ours);
            a = plainFirst ? a : time(plain);
            long twin = time(plain);
            if (i >= 0) {
                ratios[i] = (double) a / b;
                same[i] = (double) a / twin;
                rates[i] = bytes / (b / 1e9) / (1 << 20);
            }
        }
        System.out.printf(
                "  %s: ours %.0f MiB/s, ratio to plain %.2f (A/A %.2f)%n",
                what, median(rates), median(ratios), median(same));
    }

    private static long time(Side side) throws Exception {
        long start = System.nanoTime();
        side.run();
        return System.nanoTime() - start;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        java.util.Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalStateException("a transfer failed");
        }
    }
}
