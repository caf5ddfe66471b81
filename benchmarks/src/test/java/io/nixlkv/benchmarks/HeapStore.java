package io.nixlkv.benchmarks;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KeyVisitor;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A store in a map, with an arena that lends all of itself once. */
final class HeapStore implements KvStore {
    final Map<KvKey, byte[]> objects = new HashMap<>();
    final Map<String, Long> counters = new HashMap<>();
    private final ByteBuffer memory;
    private boolean leased;
    private boolean closed;

    HeapStore(int bytes) {
        memory = ByteBuffer.allocateDirect(bytes);
    }

    boolean closed() {
        return closed;
    }

    boolean leased() {
        return leased;
    }

    @Override
    public KvArena arena() {
        return new KvArena() {
            @Override
            public long bytes() {
                return memory.capacity();
            }

            @Override
            public long freeBytes() {
                return leased ? 0 : memory.capacity();
            }

            @Override
            public ArenaLease lease(int bytes, Duration patience) {
                if (leased || bytes > memory.capacity()) {
                    throw new StorageException(Status.INVALID, "the arena has " + memory.capacity() + " bytes");
                }
                leased = true;
                return new Whole(bytes);
            }

            @Override
            public ByteBuffer buffer(KvSlice slice) {
                return memory.slice(slice.offset(), slice.length());
            }
        };
    }

    private final class Whole implements ArenaLease {
        private final int bytes;

        Whole(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public KvSlice slice() {
            return new KvSlice(0, 0, bytes);
        }

        @Override
        public ByteBuffer buffer() {
            return memory.slice(0, bytes);
        }

        @Override
        public void close() {
            leased = false;
        }
    }

    private static <T> CompletableFuture<BatchResult> each(List<T> batch, Function<T, Status> work) {
        return CompletableFuture.completedFuture(new BatchResult(batch.stream()
                .map(item -> new ObjectResult(work.apply(item), -1, ""))
                .toList()));
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> batch, CallOptions options) {
        return each(batch, object -> {
            byte[] value = new byte[object.slice().length()];
            arena().buffer(object.slice()).get(value);
            return objects.putIfAbsent(object.key(), value) == null ? Status.DONE : Status.ALREADY_PRESENT;
        });
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> batch, CallOptions options) {
        return each(batch, object -> {
            byte[] value = objects.get(object.key());
            if (value == null) {
                return Status.MISSING;
            }
            arena().buffer(object.slice()).put(value);
            return Status.DONE;
        });
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        return each(keys, key -> objects.remove(key) == null ? Status.MISSING : Status.DONE);
    }

    @Override
    public StoreStatus status() {
        return new StoreStatus(true, "dynamic", "HEAP", "map", "FILE", 3, Map.of("counters", counters));
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public KvKey key(String text) {
        return ObjectKey.parse(text);
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        throw new UnsupportedOperationException("no benchmark looks up");
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        throw new UnsupportedOperationException("no benchmark stores single objects");
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        throw new UnsupportedOperationException("no benchmark loads single objects");
    }

    @Override
    public void list(String prefix, KeyVisitor visitor) {
        throw new UnsupportedOperationException("no benchmark lists");
    }
}
