package io.nixlkv.host.cleaner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CleaningStoreTest {
    private static final RawKey KEY = new RawKey("k");
    private static final List<RawKey> KEYS = List.of(KEY);

    private final Leases leases = new Leases(Duration.ofSeconds(10));
    private final KeyDigests digests = new KeyDigests(Layouts.of(
            HostConfig.parse("[store]\nlayout = \"raw\"", "test", Map.of()).store()));
    private CompletableFuture<BatchResult> answer = new CompletableFuture<>();

    /** Answers lookups only. */
    private final KvStore inner = (KvStore) Proxy.newProxyInstance(
            KvStore.class.getClassLoader(),
            new Class<?>[] {KvStore.class},
            (proxy, method, arguments) -> method.getName().equals("lookupAsync") ? answer : answer.join());

    private final CleaningStore store = new CleaningStore(inner, null, leases, digests);

    private static BatchResult result(Status status) {
        return new BatchResult(List.of(new ObjectResult(status, -1, "")));
    }

    private boolean isLeased() {
        return leases.has(digests.of(KEY));
    }

    @Test
    void whatIsLookedUpIsLeftAloneMeanwhileAndLeasedIfItIsThere() {
        CompletableFuture<BatchResult> missing = store.lookupAsync(KEYS, CallOptions.DEFAULT);
        assertTrue(isLeased());
        answer.complete(result(Status.MISSING));
        assertEquals(Status.MISSING, missing.join().get(0).status());
        assertFalse(isLeased());
        answer = CompletableFuture.completedFuture(result(Status.DONE));
        store.lookup(KEYS, CallOptions.DEFAULT);
        assertTrue(isLeased());
    }

    /** MISSING too: the object may have been stored since that question was asked. */
    @ParameterizedTest
    @EnumSource(names = {"MISSING", "TIMED_OUT", "FAILED", "WRONG_SIZE"})
    void whatOneCallerWasToldIsNotUndoneByAnothersAnswer(Status others) {
        CompletableFuture<BatchResult> slow = answer;
        CompletableFuture<BatchResult> asked = store.lookupAsync(KEYS, CallOptions.DEFAULT);
        answer = CompletableFuture.completedFuture(result(Status.DONE));
        store.lookup(KEYS, CallOptions.DEFAULT);
        slow.complete(result(others));
        assertEquals(others, asked.join().get(0).status());
        assertTrue(isLeased());
        answer = CompletableFuture.completedFuture(result(others));
        store.lookup(KEYS, CallOptions.DEFAULT);
        assertTrue(isLeased());
    }
}
