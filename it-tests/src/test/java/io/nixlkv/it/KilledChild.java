package io.nixlkv.it;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The process that is killed while it writes. It waits for one byte on standard input before it opens the store;
 * each line on standard output acknowledges {@code key version} (version -1: deleted).
 */
final class KilledChild {
    static final int WRITERS = 3;
    static final int KEYS_PER_WRITER = 8;
    static final int LONGEST = 64 << 10;

    private KilledChild() {}

    static KvStore open(PackedHost host, Path directory, KillMode mode) {
        return host.posix(directory.toString(), false, mode.lines());
    }

    /** What a key holds in a version: its length and every byte follow from both. */
    static byte[] content(int key, long version) {
        Random random = new Random(key * 1_000_003L + version);
        byte[] content = new byte[16 + random.nextInt(LONGEST - 16)];
        random.nextBytes(content);
        ByteBuffer.wrap(content).putInt(key).putInt(content.length).putLong(version);
        return content;
    }

    public static void main(String[] arguments) throws IOException {
        CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS)
                .execute(() -> Runtime.getRuntime().halt(3));
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        PackedHost host = new PackedHost();
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(4);
        }
        KvStore store = open(host, Path.of(arguments[0]), KillMode.valueOf(arguments[1]));
        for (int writer = 0; writer < WRITERS; writer++) {
            int me = writer;
            Thread thread = new Thread(() -> write(store, me, Long.parseLong(arguments[2]), out), "writer-" + me);
            thread.setDaemon(true);
            thread.start();
        }
        while (System.in.read() >= 0) {
            continue;
        }
        Runtime.getRuntime().halt(5);
    }

    private static void write(KvStore store, int writer, long firstVersion, FileOutputStream out) {
        try {
            Random random = new Random(firstVersion + writer);
            for (long version = firstVersion; ; version++) {
                int key = writer * KEYS_PER_WRITER + random.nextInt(KEYS_PER_WRITER);
                if (random.nextInt(8) == 0) {
                    store.delete(List.of(new RawKey("k" + key)), CallOptions.DEFAULT);
                    out.write((key + " -1\n").getBytes(StandardCharsets.US_ASCII));
                    continue;
                }
                ObjectResult result = store.store(
                        new RawKey("k" + key),
                        ByteBuffer.wrap(content(key, version)),
                        CallOptions.DEFAULT.with(Mode.REPLACE));
                if (result.status() != Status.DONE) {
                    throw new IllegalStateException(result.toString());
                }
                out.write((key + " " + version + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException | RuntimeException failed) {
            failed.printStackTrace();
            Runtime.getRuntime().halt(6);
        }
    }
}
