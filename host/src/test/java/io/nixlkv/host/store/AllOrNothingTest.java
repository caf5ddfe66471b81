package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AllOrNothingTest {
    private static final CallOptions WHOLE = CallOptions.DEFAULT.with(Atomicity.ALL_OR_NOTHING);

    private final ScriptedBackend backend = new ScriptedBackend();

    private BatchResult store(boolean exclusive) {
        StoreSpec spec = Stores.spec(ScriptedBackend.offer(3), 2, exclusive, LengthRule.EXACT);
        try (DynamicStore store = Stores.open(backend, spec);
                ArenaLease lease = store.arena().lease(100, Duration.ZERO)) {
            return store.store(Stores.objects(lease, 10, 10), WHOLE);
        }
    }

    @Test
    void publishesAllOverAllTiles() {
        assertTrue(store(false).allOk());
        assertEquals(10, backend.objects.size());
        assertTrue(backend.staged.isEmpty());
    }

    @Test
    void anEqualObjectIsFineAndUntouched() {
        byte[] present = new byte[10];
        backend.objects.put("0:o3", present);
        BatchResult result = store(false);
        assertTrue(result.allOk());
        assertEquals(Status.ALREADY_PRESENT, result.get(3).status());
        assertEquals(present, backend.objects.get("0:o3"));
    }

    @Test
    void oneThatCannotBeStagedLeavesNothing() {
        backend.fail(Op.STAGE, "o6");
        BatchResult result = store(false);
        assertEquals(10, result.count(Status.FAILED));
        assertEquals(
                "store o6 in TEST (memory): scripted failure of o6",
                result.get(6).reason());
        assertTrue(
                result.get(0).reason().contains("all-or-nothing"), result.get(0).reason());
        assertTrue(
                result.get(0).reason().contains("scripted failure of o6"),
                result.get(0).reason());
        assertTrue(backend.objects.isEmpty());
        assertTrue(backend.staged.isEmpty());
    }

    @Test
    void aFailedPublicationIsReportedPerObjectWhereOthersMayWrite() {
        backend.fail(Op.PUBLISH, "o6");
        BatchResult result = store(false);
        assertEquals(9, result.okCount());
        assertEquals(Status.FAILED, result.get(6).status());
        assertEquals(9, backend.objects.size(), "another writer may already rely on them");
    }

    @Test
    void aFailedPublicationIsTakenBackWhereNobodyElseWrites() {
        backend.objects.put("0:o3", new byte[10]);
        backend.fail(Op.PUBLISH, "o6");
        BatchResult result = store(true);
        assertEquals(9, result.count(Status.FAILED));
        assertEquals(Status.ALREADY_PRESENT, result.get(3).status());
        assertEquals(Set.of("0:o3"), backend.objects.keySet(), "what existed before is never removed");
        assertTrue(result.get(0).reason().contains("taken back"), result.get(0).reason());
    }
}
