package io.nixlkv.benchmarks;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Our own side, through nothing but the public {@link KvStore}. As with a peer, making the names of the batch is part of the
 * timed work.
 */
final class StoreContender implements Contender {
    private static final String MODEL = "org/model";

    private final KvStore store;
    private final Workload workload;
    private final IoMode mode;
    private final Identity identity;
    private final ArenaLease lease;
    private final ByteBuffer memory;

    /**
     * Takes memory and fills it.
     *
     * @param name as on the command line; the report adds the engine where the store chose it
     * @param store taken over: closed with this contender, and when the constructor fails
     */
    StoreContender(String name, String version, KvStore store, Setting setting) {
        this.store = store;
        workload = setting.workload();
        mode = setting.mode();
        try {
            StoreStatus status = store.status();
            boolean chosen = name.endsWith(":" + Entrants.AUTO);
            identity = new Identity(chosen ? name + " (" + status.engine() + ")" : name, version, status.numWorkers());
            lease = store.arena().lease(workload.batchBytes(), Duration.ZERO);
        } catch (StorageException e) {
            store.close();
            throw new ContenderException(name + " cannot hold the batch: " + e.getMessage(), e);
        }
        memory = lease.buffer();
        BytePattern.fill(memory, workload);
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public long store(long round) {
        long start = System.nanoTime();
        BatchResult result = call("store", () -> store.store(batch(round), CallOptions.DEFAULT));
        long nanos = System.nanoTime() - start;
        requireDone("store", result);
        return nanos;
    }

    @Override
    public long load(long round) {
        long start = System.nanoTime();
        BatchResult result = call("load", () -> store.load(batch(round), CallOptions.DEFAULT));
        long nanos = System.nanoTime() - start;
        requireDone("load", result);
        return nanos;
    }

    @Override
    public void verify(long round) {
        BytePattern.clear(memory, workload);
        load(round);
        int wrong = BytePattern.firstDifference(memory, workload);
        if (wrong >= 0) {
            throw new ContenderException("%s: byte %d of object %d is wrong after a load"
                    .formatted(identity.name(), wrong % workload.bytes(), wrong / workload.bytes()));
        }
        requireMode();
    }

    /** A store falls back to the page cache where direct I/O does not work; that is a figure for something else. */
    private void requireMode() {
        if (mode == IoMode.DIRECT
                && store.status().details().get("counters") instanceof Map<?, ?> counters
                && counters.get("transfers_buffered") instanceof Long buffered
                && buffered > 0) {
            throw new ContenderException(identity.name()
                    + ": direct I/O does not work in this directory; transfers went through the page cache");
        }
    }

    @Override
    public void drop(long round) {
        List<ObjectKey> keys = new ArrayList<>(workload.objects());
        for (int i = 0; i < workload.objects(); i++) {
            keys.add(key(round, i));
        }
        requireDone("delete", call("delete", () -> store.delete(keys, CallOptions.DEFAULT)));
    }

    @Override
    public void close() {
        lease.close();
        store.close();
    }

    private BatchResult call(String what, Supplier<BatchResult> call) {
        try {
            return call.get();
        } catch (StorageException e) {
            throw new ContenderException(identity.name() + ": " + what + " failed: " + e.getMessage(), e);
        }
    }

    private List<KvObject> batch(long round) {
        List<KvObject> objects = new ArrayList<>(workload.objects());
        for (int i = 0; i < workload.objects(); i++) {
            objects.add(new KvObject(key(round, i), lease.slice(i * workload.bytes(), workload.bytes())));
        }
        return objects;
    }

    private static ObjectKey key(long round, int object) {
        HexFormat hex = HexFormat.of();
        return new ObjectKey(MODEL, 0, 0, hex.toHexDigits(round) + hex.toHexDigits((long) object));
    }

    /** ALREADY_PRESENT would be a figure for work that was not done. */
    private void requireDone(String call, BatchResult result) {
        for (int i = 0; i < result.size(); i++) {
            ObjectResult object = result.get(i);
            if (object.status() != Status.DONE) {
                throw new ContenderException("%s: %s of object %d ended with %s %s"
                        .formatted(identity.name(), call, i, object.status(), object.reason())
                        .strip());
            }
        }
    }
}
