package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Padding never touches what belongs to somebody else. */
class PaddingTest {
    private final ScriptedBackend backend = new ScriptedBackend();

    private DynamicStore open(int unit) {
        return Stores.open(backend, Stores.spec(ScriptedBackend.offer(100), 2, false, new LengthRule(unit)));
    }

    private static void fill(ArenaLease lease, int from, int to, int value) {
        IntStream.range(from, to).forEach(at -> lease.buffer().put(at, (byte) value));
    }

    @Test
    void leasesEndWhereThePaddingEnds() {
        try (DynamicStore store = open(8192);
                ArenaLease a = store.arena().lease(4096, Duration.ZERO);
                ArenaLease b = store.arena().lease(4096, Duration.ZERO)) {
            fill(a, 0, 4096, 1);
            fill(b, 0, 4096, 2);
            List<KvObject> object = List.of(new KvObject(new RawKey("a"), a.slice()));
            assertTrue(store.store(object, CallOptions.DEFAULT).allOk());
            backend.objects.get("0:a")[5000] = 77;
            assertTrue(store.load(object, CallOptions.DEFAULT).allOk());
            IntStream.range(0, 4096).forEach(at -> assertEquals(2, b.buffer().get(at)));
        }
    }

    @Test
    void paddingOverAnotherObjectOfTheCallIsRefused() {
        try (DynamicStore store = open(4096);
                ArenaLease lease = store.arena().lease(3 * 4096, Duration.ZERO)) {
            fill(lease, 0, 3 * 4096, 2);
            List<KvObject> tight = List.of(
                    new KvObject(new RawKey("b"), lease.slice(100, 4096)),
                    new KvObject(new RawKey("a"), lease.slice(0, 100)));
            for (List<KvObject> order : List.of(tight, reversed(tight))) {
                StorageException refused =
                        assertThrows(StorageException.class, () -> store.store(order, CallOptions.DEFAULT));
                assertEquals(Status.INVALID, refused.status());
                assertTrue(refused.getMessage().contains("the padding of a"), refused.getMessage());
                assertTrue(refused.getMessage().contains("of b"), refused.getMessage());
            }
            assertThrows(StorageException.class, () -> store.load(tight, CallOptions.DEFAULT));
            List<KvObject> inside = List.of(
                    new KvObject(new RawKey("a"), lease.slice(4096, 10)),
                    new KvObject(new RawKey("whole"), lease.slice(0, 3 * 4096)));
            assertThrows(StorageException.class, () -> store.store(inside, CallOptions.DEFAULT));
            assertTrue(backend.objects.isEmpty());
            IntStream.range(0, 3 * 4096)
                    .forEach(at -> assertEquals(2, lease.buffer().get(at)));
        }
    }

    @Test
    void objectsWithRoomForTheirPaddingAreStored() {
        try (DynamicStore store = open(4096);
                ArenaLease lease = store.arena().lease(3 * 4096, Duration.ZERO)) {
            fill(lease, 0, 3 * 4096, 2);
            List<KvObject> apart = List.of(
                    new KvObject(new RawKey("c"), lease.slice(8192, 1)),
                    new KvObject(new RawKey("a"), lease.slice(0, 100)),
                    new KvObject(new RawKey("b"), lease.slice(4096, 4096)),
                    new KvObject(new RawKey("same memory"), lease.slice(0, 100)));
            assertTrue(store.store(apart, CallOptions.DEFAULT).allOk());
            assertEquals(2, backend.objects.get("0:b")[0]);
            assertEquals(0, backend.objects.get("0:a")[100]);
            assertEquals(4096, backend.objects.get("0:c").length);
        }
    }

    private static List<KvObject> reversed(List<KvObject> objects) {
        List<KvObject> other = new ArrayList<>(objects);
        Collections.reverse(other);
        return other;
    }
}
