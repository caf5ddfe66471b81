package io.nixlkv.it;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One of several host processes on a bucket: first it creates the keys that all others create too, then it stores, creates, loads
 * and deletes at random for a while. What it did goes to standard output as JSON; a surprise ends it with a stack trace.
 *
 * <p>Arguments: configuration, number of this process, number of processes.
 */
final class SharedBucketChild {
    static final int RACES = 60;
    static final int OWN = 6;

    private static final int SHARED = 8;
    private static final long WORK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int HEAD = 16;

    private final KvStore store;
    private final int me;
    private final long[] versions = new long[OWN];
    private int created;
    private int present;
    private int loads;
    private int deletes;

    private SharedBucketChild(KvStore store, int me) {
        this.store = store;
        this.me = me;
    }

    /** Bytes of a key's objects, the same in every version, so that any process can load any version. */
    static int length(int key) {
        return 30_000 + key * 1_001;
    }

    /** What a key holds in a version: every byte follows from both and from the writer. */
    static byte[] content(int key, int writer, long version) {
        byte[] content = new byte[length(key)];
        new Random(key * 1_000_003L + writer * 7919L + version).nextBytes(content);
        ByteBuffer.wrap(content).putInt(key).putInt(writer).putLong(version);
        return content;
    }

    static long version(byte[] value) {
        return ByteBuffer.wrap(value).getLong(HEAD - Long.BYTES);
    }

    /** Fails unless it is all of what one writer stored. */
    static void whole(byte[] value, int key) {
        ByteBuffer head = ByteBuffer.wrap(value);
        if (head.getInt() != key || !Arrays.equals(value, content(key, head.getInt(), version(value)))) {
            throw new IllegalStateException("the object of key " + key + " is torn or another one's");
        }
    }

    public static void main(String[] arguments) throws IOException {
        Path config = Path.of(arguments[0]);
        try (PackedHost host = new PackedHost();
                KvStore store = host.host().open(HostConfig.load(config, Map.of()))) {
            SharedBucketChild child = new SharedBucketChild(store, Integer.parseInt(arguments[1]));
            meet(config, child.me, Integer.parseInt(arguments[2]));
            child.race();
            child.work();
            System.out.println("{\"created\":" + child.created + ",\"present\":" + child.present + ",\"loads\":"
                    + child.loads + ",\"deletes\":" + child.deletes + ",\"versions\":"
                    + Arrays.toString(child.versions) + "}");
        }
    }

    /** Waits for the others, through files beside the configuration. */
    private static void meet(Path config, int me, int all) throws IOException {
        Files.createFile(config.resolveSibling("here-" + me));
        long end = System.nanoTime() + WAIT_NANOS;
        for (int other = 0; other < all; other++) {
            while (Files.notExists(config.resolveSibling("here-" + other))) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("process " + other + " did not come");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    private void race() {
        for (int key = 0; key < RACES; key++) {
            Status status = put("race" + key, key, 0, Mode.CREATE);
            created += status == Status.DONE ? 1 : 0;
            present += status == Status.ALREADY_PRESENT ? 1 : 0;
        }
    }

    private void work() {
        Random random = new Random(me);
        long end = System.nanoTime() + WORK_NANOS;
        for (long version = 1; System.nanoTime() < end || version <= OWN; version++) {
            int own = (int) (version % OWN);
            require(put("own" + me + "-" + own, own, version, Mode.REPLACE), EnumSet.of(Status.DONE));
            versions[own] = version;
            if (version(load("own" + me + "-" + own, own)) != version) {
                throw new IllegalStateException("an older version of own" + me + "-" + own + " came back");
            }
            int key = random.nextInt(SHARED);
            put("shared" + key, key, version, random.nextBoolean() ? Mode.REPLACE : Mode.CREATE);
            load("shared" + random.nextInt(SHARED), -1);
            if (random.nextInt(3) == 0) {
                ObjectResult deleted = store.delete(List.of(new RawKey("shared" + key)), CallOptions.DEFAULT)
                        .results()
                        .get(0);
                require(deleted, EnumSet.of(Status.DONE, Status.MISSING));
                deletes++;
            }
        }
    }

    private Status put(String name, int key, long version, Mode mode) {
        ObjectResult result = store.store(
                new RawKey(name), ByteBuffer.wrap(content(key, me, version)), CallOptions.DEFAULT.with(mode));
        require(
                result,
                mode == Mode.CREATE ? EnumSet.of(Status.DONE, Status.ALREADY_PRESENT) : EnumSet.of(Status.DONE));
        return result.status();
    }

    /** @param must the key that must be there; -1 if it may be missing */
    private byte[] load(String name, int must) {
        int key = must >= 0 ? must : Integer.parseInt(name.substring("shared".length()));
        byte[] value = new byte[length(key)];
        ObjectResult result = store.load(new RawKey(name), ByteBuffer.wrap(value), CallOptions.DEFAULT);
        require(result, must >= 0 ? EnumSet.of(Status.DONE) : EnumSet.of(Status.DONE, Status.MISSING));
        if (result.status() == Status.DONE) {
            whole(value, key);
            loads++;
        }
        return value;
    }

    private static void require(ObjectResult result, Set<Status> allowed) {
        require(result.status(), allowed, result.toString());
    }

    private static void require(Status status, Set<Status> allowed) {
        require(status, allowed, "");
    }

    private static void require(Status status, Set<Status> allowed, String told) {
        if (!allowed.contains(status)) {
            throw new IllegalStateException(status + " instead of " + allowed + " " + told);
        }
    }
}
