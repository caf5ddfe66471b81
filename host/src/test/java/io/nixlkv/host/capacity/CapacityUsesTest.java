package io.nixlkv.host.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is not stored leaves no trace in memory. */
class CapacityUsesTest {
    private Status answer = Status.DONE;

    /** Answers every call for objects alike. */
    private final KvStore inner = (KvStore) Proxy.newProxyInstance(
            KvStore.class.getClassLoader(), new Class<?>[] {KvStore.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("close")) {
                    return null;
                } else if (answer == null) {
                    throw new StorageException(Status.UNAVAILABLE, "closed");
                }
                ObjectResult one = new ObjectResult(answer, -1, "");
                if (method.getReturnType() == ObjectResult.class) {
                    return one;
                }
                BatchResult all = new BatchResult(Collections.nCopies(((List<?>) arguments[0]).size(), one));
                return method.getReturnType() == BatchResult.class ? all : CompletableFuture.completedFuture(all);
            });

    private final CapacityStore store = new CapacityStore(
            inner,
            visitor -> {},
            new CapacitySettings(1000, true, 1, 0.2, Duration.ofMinutes(1), false),
            new KeyDigests(Layouts.of(HostConfig.parse("[store]\nlayout = \"raw\"", "test", Map.of())
                    .store())),
            Atomicity.PER_OBJECT,
            length -> length,
            key -> {});

    @AfterEach
    void close() {
        store.close();
    }

    private static List<KvObject> objects(int count, int bytes) {
        return IntStream.range(0, count)
                .mapToObj(i -> new KvObject(new RawKey("o" + i), new KvSlice(0, 0, bytes)))
                .toList();
    }

    @Test
    void refusedPuts() {
        for (int i = 0; i < 100; i++) {
            store.store(new RawKey("k" + i), ByteBuffer.allocate(1001), CallOptions.DEFAULT);
        }
        store.store(objects(100, 1001), CallOptions.DEFAULT);
        store.store(objects(100, 11), CallOptions.DEFAULT.with(Atomicity.ALL_OR_NOTHING));
        assertEquals(0, store.uses());
    }

    @Test
    void failedPuts() {
        answer = Status.FAILED;
        store.store(new RawKey("k"), ByteBuffer.allocate(1), CallOptions.DEFAULT);
        store.store(objects(100, 1), CallOptions.DEFAULT);
        store.storeAsync(objects(100, 1), CallOptions.DEFAULT).join();
        answer = null;
        assertThrows(StorageException.class, () -> store.store(objects(100, 1), CallOptions.DEFAULT));
        assertThrows(StorageException.class, () -> store.storeAsync(objects(100, 1), CallOptions.DEFAULT));
        assertEquals(0, store.uses());
    }

    @Test
    void loadsOfWhatIsMissing() {
        answer = Status.MISSING;
        store.load(new RawKey("k"), ByteBuffer.allocate(1), CallOptions.DEFAULT);
        store.load(objects(100, 1), CallOptions.DEFAULT);
        store.loadAsync(objects(100, 1), CallOptions.DEFAULT).join();
        assertEquals(0, store.uses());
    }

    @Test
    void whatIsStoredOrLoadedIsRemembered() {
        store.store(objects(10, 1), CallOptions.DEFAULT);
        store.loadAsync(objects(20, 1), CallOptions.DEFAULT).join();
        assertEquals(20, store.uses());
    }
}
