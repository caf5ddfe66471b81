package io.nixlkv.host.async;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.KvStore;
import java.nio.ByteBuffer;
import java.util.List;

/** What a blocking call stores. */
sealed interface BlockingPut {
    List<KvKey> keys();

    int[] lengths();

    /** Copies the value of an object to a place in the arena. */
    void copy(int index, KvArena arena, KvSlice target);

    /** Stores it as it is. */
    BatchResult write(KvStore store, CallOptions options);

    /** Whether it is worth to wait for memory for a copy: what is in the arena already can be written from where it is. */
    boolean waitsForMemory();

    /** Objects in the arena. */
    record OfSlices(List<KvObject> objects) implements BlockingPut {
        @Override
        public List<KvKey> keys() {
            return objects.stream().map(KvObject::key).toList();
        }

        @Override
        public int[] lengths() {
            return objects.stream().mapToInt(object -> object.slice().length()).toArray();
        }

        @Override
        public void copy(int index, KvArena arena, KvSlice target) {
            arena.copyWithin(objects.get(index).slice(), target);
        }

        @Override
        public BatchResult write(KvStore store, CallOptions options) {
            return store.store(objects, options);
        }

        @Override
        public boolean waitsForMemory() {
            return false;
        }
    }

    /** A value in a buffer. */
    record OfBuffer(KvKey key, ByteBuffer value) implements BlockingPut {
        @Override
        public List<KvKey> keys() {
            return List.of(key);
        }

        @Override
        public int[] lengths() {
            return new int[] {value.remaining()};
        }

        @Override
        public void copy(int index, KvArena arena, KvSlice target) {
            arena.copyIn(target, value.duplicate());
        }

        @Override
        public BatchResult write(KvStore store, CallOptions options) {
            return new BatchResult(List.of(store.store(key, value, options)));
        }

        @Override
        public boolean waitsForMemory() {
            return true;
        }
    }
}
