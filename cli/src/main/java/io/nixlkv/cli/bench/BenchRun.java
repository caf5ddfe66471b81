package io.nixlkv.cli.bench;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.host.layout.SampleKeys;
import io.nixlkv.spi.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Stores, looks up and loads benchmark objects: each operation over all rounds before the next one, every round on objects of its
 * own. Used by one thread.
 */
public final class BenchRun implements AutoCloseable {
    private static final String MODEL = "bench-model";

    private final KvStore store;
    private final SampleKeys samples;
    private final BenchPlan plan;
    private final String place;
    private final BooleanSupplier stop;
    private final List<ArenaLease> leases = new ArrayList<>();
    private final BitSet written = new BitSet();
    private final Failures failures = new Failures();
    private long alreadyThere;
    private int mismatched;

    /**
     * @param samples makes keys of the store's kind
     * @param leased arena bytes of one object, at least its length
     * @param stop asked before each round; when true the run ends early
     */
    public BenchRun(KvStore store, SampleKeys samples, BenchPlan plan, int leased, BooleanSupplier stop) {
        this.store = store;
        this.samples = samples;
        this.plan = plan;
        this.stop = stop;
        StoreStatus status = store.status();
        place = status.backend() + " (" + status.details().getOrDefault("file_path", status.engine()) + ")";
        try {
            for (int i = 0; i < plan.keysPerRound(); i++) {
                leases.add(store.arena().lease(leased, Duration.ZERO));
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /**
     * Runs store, lookup and load.
     *
     * @param progress told after each round
     * @return the measured rounds of each
     */
    public List<OperationResult> run(Runnable progress) {
        List<OperationResult> results = new ArrayList<>();
        results.add(storing(progress));
        results.add(lookingUp(progress));
        results.add(loading(progress));
        return results;
    }

    private OperationResult storing(Runnable progress) {
        OperationResult result = new OperationResult("store", plan.keysPerRound(), plan.objectBytes());
        leases.forEach(lease -> BenchPayload.fill(content(lease)));
        for (int round = 0; round < plan.allRounds() && !stop.getAsBoolean(); round++) {
            List<List<KvObject>> batches = objects(round);
            for (int i = 0; i < leases.size(); i++) {
                BenchPayload.stamp(content(leases.get(i)), plan.index(round, i));
            }
            long start = System.nanoTime();
            List<CompletableFuture<BatchResult>> calls = new ArrayList<>();
            for (List<KvObject> batch : batches) {
                calls.add(store.storeAsync(batch, CallOptions.DEFAULT));
            }
            List<ObjectResult> ended = ended(calls);
            count(result, round, System.nanoTime() - start, ended);
            progress.run();
            for (int i = 0; i < ended.size(); i++) {
                if (ended.get(i).status() == Status.DONE || ended.get(i).status() == Status.TIMED_OUT) {
                    written.set((int) plan.index(round, i));
                } else if (ended.get(i).status() == Status.ALREADY_PRESENT) {
                    alreadyThere++;
                }
            }
        }
        return result;
    }

    private OperationResult lookingUp(Runnable progress) {
        OperationResult result = new OperationResult("lookup", plan.keysPerRound(), plan.objectBytes());
        for (int round = 0; round < plan.allRounds() && !stop.getAsBoolean(); round++) {
            List<List<KvKey>> batches = new ArrayList<>();
            for (int batch = 0; batch < plan.inFlight(); batch++) {
                batches.add(keys(round, batch));
            }
            long start = System.nanoTime();
            List<CompletableFuture<BatchResult>> calls = new ArrayList<>();
            for (List<KvKey> batch : batches) {
                calls.add(store.lookupAsync(batch, CallOptions.DEFAULT));
            }
            List<ObjectResult> ended = ended(calls);
            count(result, round, System.nanoTime() - start, ended);
            progress.run();
        }
        return result;
    }

    private OperationResult loading(Runnable progress) {
        OperationResult result = new OperationResult("load", plan.keysPerRound(), plan.objectBytes());
        // once is enough: whoever loads nothing in a later round leaves the words of the round before
        leases.forEach(lease -> BenchPayload.clear(content(lease)));
        for (int round = 0; round < plan.allRounds() && !stop.getAsBoolean(); round++) {
            List<List<KvObject>> batches = objects(round);
            long start = System.nanoTime();
            List<CompletableFuture<BatchResult>> calls = new ArrayList<>();
            for (List<KvObject> batch : batches) {
                calls.add(store.loadAsync(batch, CallOptions.DEFAULT));
            }
            List<ObjectResult> ended = ended(calls);
            count(result, round, System.nanoTime() - start, ended);
            progress.run();
            if (plan.verify() && round == plan.allRounds() - 1) {
                verify(round, ended);
            }
        }
        return result;
    }

    private void verify(int round, List<ObjectResult> ended) {
        for (int i = 0; i < leases.size(); i++) {
            if (ended.get(i).status() == Status.DONE
                    && !BenchPayload.holds(content(leases.get(i)), plan.index(round, i))) {
                mismatched++;
                String key = key(plan.index(round, i)).text();
                failures.add(key, key + ": the loaded bytes differ from those stored");
            }
        }
    }

    private List<ObjectResult> ended(List<CompletableFuture<BatchResult>> calls) {
        List<ObjectResult> ended = new ArrayList<>(plan.keysPerRound());
        for (CompletableFuture<BatchResult> call : calls) {
            ended.addAll(call.join().results());
        }
        return ended;
    }

    private void count(OperationResult result, int round, long nanos, List<ObjectResult> ended) {
        int done = 0;
        boolean timedOut = false;
        for (int i = 0; i < ended.size(); i++) {
            ObjectResult object = ended.get(i);
            done += object.status() == Status.DONE ? 1 : 0;
            timedOut |= object.status() == Status.TIMED_OUT;
            if (!object.ok()) {
                long index = plan.index(round, i);
                String key = key(index).text();
                failures.add(key, object.reason().isEmpty() ? unsaid(result, object, key, index) : object.reason());
            }
        }
        if (round >= plan.warmupRounds()) {
            result.add(new OperationResult.Round(nanos, done, timedOut));
        }
    }

    private String unsaid(OperationResult result, ObjectResult object, String key, long index) {
        String what = result.operation() + " " + key + " on " + place + ": ";
        if (object.status() != Status.MISSING) {
            return what + object.status();
        }
        return what
                + (written.get((int) index)
                        ? "it is gone, although it was stored; something deletes or evicts what bench writes"
                        : "it is not there, since it was not stored");
    }

    private ByteBuffer content(ArenaLease lease) {
        return lease.buffer().slice(0, plan.objectBytes());
    }

    private List<List<KvObject>> objects(int round) {
        List<List<KvObject>> batches = new ArrayList<>();
        for (int batch = 0; batch < plan.inFlight(); batch++) {
            List<KvKey> keys = keys(round, batch);
            List<KvObject> objects = new ArrayList<>(keys.size());
            for (int i = 0; i < keys.size(); i++) {
                ArenaLease lease = leases.get(batch * plan.numKeys() + i);
                objects.add(new KvObject(keys.get(i), lease.slice(0, plan.objectBytes())));
            }
            batches.add(objects);
        }
        return batches;
    }

    private List<KvKey> keys(int round, int batch) {
        List<KvKey> keys = new ArrayList<>(plan.numKeys());
        for (int i = 0; i < plan.numKeys(); i++) {
            keys.add(key(plan.index(round, batch * plan.numKeys() + i)));
        }
        return keys;
    }

    /** LMCache's bench key: the number as rank, and as a 16-byte big-endian hash. */
    private KvKey key(long index) {
        String hex = Long.toHexString(index);
        return samples.key(MODEL, index, "0".repeat(32 - hex.length()) + hex);
    }

    /** Whether something failed, in a warm-up round as well. */
    public boolean failed() {
        return !failures.none();
    }

    /** Why, grouped; an object counts once for each operation that failed on it. */
    public List<String> failures() {
        return failures.lines();
    }

    /** Objects that were there before, and so were not written. */
    public long alreadyThere() {
        return alreadyThere;
    }

    /** Objects whose loaded bytes were wrong. */
    public int mismatched() {
        return mismatched;
    }

    /** Deletes what this run wrote, and nothing else. Returns how many objects could not be deleted. */
    public int removeWritten() {
        int left = 0;
        List<KvKey> batch = new ArrayList<>();
        for (int index = written.nextSetBit(0); index >= 0; index = written.nextSetBit(index + 1)) {
            batch.add(key(index));
            if (batch.size() == plan.keysPerRound()) {
                left += remove(batch);
            }
        }
        return batch.isEmpty() ? left : left + remove(batch);
    }

    private int remove(List<KvKey> batch) {
        BatchResult deleted = store.delete(batch, CallOptions.DEFAULT);
        int failed = deleted.size() - deleted.count(Status.DONE) - deleted.count(Status.MISSING);
        batch.clear();
        return failed;
    }

    /** Gives the memory back. */
    @Override
    public void close() {
        for (ArenaLease lease : leases) {
            lease.close();
        }
        leases.clear();
    }
}
