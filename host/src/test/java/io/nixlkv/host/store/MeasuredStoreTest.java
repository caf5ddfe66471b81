package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.metrics.MeasuredStore;
import io.nixlkv.host.metrics.StoreMeters;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeasuredStoreTest {
    private final ScriptedBackend backend = new ScriptedBackend();

    private static Map<?, ?> totals(MeasuredStore store, String call) {
        return (Map<?, ?>) ((Map<?, ?>) store.status().details().get("totals")).get(call);
    }

    private static void use(MeasuredStore store, ScriptedBackend backend) {
        List<KvKey> keys = List.of(new RawKey("o0"), new RawKey("absent"));
        backend.fail(Op.WRITE, "bad");
        try (ArenaLease lease = store.arena().lease(100, Duration.ZERO)) {
            store.store(Stores.objects(lease, 3, 10), CallOptions.DEFAULT);
            store.storeAsync(Stores.objects(lease, 1, 10), CallOptions.DEFAULT).join();
            store.store(new RawKey("bad"), ByteBuffer.allocate(7), CallOptions.DEFAULT);
            store.load(Stores.objects(lease, 2, 10), CallOptions.DEFAULT);
            store.loadAsync(Stores.objects(lease, 1, 10), CallOptions.DEFAULT).join();
            store.load(new RawKey("absent"), ByteBuffer.allocate(5), CallOptions.DEFAULT);
            store.lookup(keys, CallOptions.DEFAULT);
            store.lookupAsync(keys, CallOptions.DEFAULT).join();
            store.delete(keys, CallOptions.DEFAULT);
            store.deleteAsync(keys, CallOptions.DEFAULT).join();
            assertThrows(StorageException.class, () -> store.load(List.of(), CallOptions.DEFAULT));
        }
    }

    @Test
    void everyCallIsAddedUpByHowItEnded() {
        try (MeasuredStore store = new MeasuredStore(Stores.open(backend, 2))) {
            use(store, backend);
            Map<?, ?> stored = totals(store, "store");
            assertEquals(3L, stored.get("calls"));
            assertEquals(30L, stored.get("bytes"));
            assertEquals(3L, stored.get("done"));
            assertEquals(1L, stored.get("already_present"));
            assertEquals(1L, stored.get("failed"));
            Map<?, ?> loaded = totals(store, "load");
            assertEquals(
                    List.of(3L, 30L, 3L, 1L),
                    List.of(loaded.get("calls"), loaded.get("bytes"), loaded.get("done"), loaded.get("missing")));
            assertTrue((long) loaded.get("micros") > 0);
            assertEquals(2L, totals(store, "lookup").get("done"));
            assertEquals(3L, totals(store, "delete").get("missing"));
            assertEquals(0L, totals(store, "delete").get("bytes"));
        }
    }

    @Test
    void theMetersShowTheSameUnderNixlsNames() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (MeasuredStore store = new MeasuredStore(Stores.open(backend, 2))) {
            use(store, backend);
            new StoreMeters(store, Tags.of("store", "kv")).bindTo(registry);
            System.gc();
            assertEquals(30, counter(registry, "agent.tx.bytes"));
            assertEquals(30, counter(registry, "agent.rx.bytes"));
            assertEquals(3, counter(registry, "agent.tx.requests.num"));
            assertEquals(3, counter(registry, "agent.rx.requests.num"));
            assertTrue(counter(registry, "agent.xfer.time") > 0);
            assertEquals(1, counter(registry, "agent.errors", "status", "failed"));
            assertEquals(0, counter(registry, "agent.errors", "status", "timed_out"));
            assertEquals(3, counter(registry, "nixlkv.objects", "call", "load", "result", "done"));
            FunctionTimer deletes =
                    registry.get("nixlkv.calls").tags("call", "delete").functionTimer();
            assertEquals(2, deletes.count());
            assertTrue(deletes.totalTime(TimeUnit.NANOSECONDS) > 0);
            assertEquals(
                    Stores.ARENA,
                    registry.get("nixlkv.arena.free.bytes").gauge().value());
            assertEquals(1, registry.get("nixlkv.healthy").gauge().value());
            assertTrue(registry.find("nixlkv.slots.used").meters().isEmpty(), "only what the store has");
            assertTrue(registry.getMeters().stream()
                    .allMatch(meter -> "kv".equals(meter.getId().getTag("store"))));
        }
        assertEquals(
                Status.values().length - 3,
                registry.get("agent.errors").functionCounters().size());
    }

    private static double counter(SimpleMeterRegistry registry, String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }
}
