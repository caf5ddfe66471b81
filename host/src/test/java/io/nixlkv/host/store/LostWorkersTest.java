package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Whatever a plugin throws, the store has its workers when the cause is gone. */
class LostWorkersTest {
    private final ScriptedBackend backend = new ScriptedBackend();

    private static ObjectResult look(DynamicStore store) {
        return store.lookup(List.of(new RawKey("a")), CallOptions.DEFAULT.with(Duration.ofSeconds(5)))
                .get(0);
    }

    @Test
    void lanesThatCannotBeOpenedForAnErrorAreToldAndOpenedLater() {
        AtomicBoolean broken = new AtomicBoolean();
        try (DynamicStore store = Stores.open(backend, 2)) {
            backend.before(batch -> {
                if (broken.get() && batch.op() == Op.QUERY) {
                    throw new IllegalStateException("defect");
                }
            });
            backend.beforeLane(() -> {
                if (broken.get()) {
                    throw new NoClassDefFoundError("com/vendor/Sdk");
                }
            });
            broken.set(true);
            for (int i = 0; i < 2; i++) {
                assertEquals(Status.FAILED, look(store).status());
            }
            for (int i = 0; i < 6; i++) {
                ObjectResult refused = look(store);
                assertEquals(Status.UNAVAILABLE, refused.status());
                assertTrue(refused.reason().contains("com/vendor/Sdk"), refused.reason());
            }
            broken.set(false);
            for (int i = 0; i < 4; i++) {
                assertEquals(Status.MISSING, look(store).status());
            }
        }
        assertEquals(0, backend.openLanes.get());
    }
}
