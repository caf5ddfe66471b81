package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.BackendReport;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open bucket or container. Its lanes share the connections and the threads that use them. */
public final class ObjectBackend implements StorageBackend {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectBackend.class);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ObjectStore store;
    private final String place;
    private final Capabilities can;
    private final KeyRules rules;
    private final RequestPool pool;
    private final Map<String, String> facts;
    private final ObjectCounters counters = new ObjectCounters();
    private final Map<Long, Staged> staged = new ConcurrentHashMap<>();
    private final AtomicLong tokens;
    private boolean closed;

    /**
     * @param store owned by the backend from here on
     * @param place bucket and endpoint, for people
     * @param can what the lane supports; CREATE is refused where the features leave it out
     * @param facts what the report shows, never secrets
     */
    public ObjectBackend(
            ObjectStore store,
            String place,
            Capabilities can,
            KeyRules rules,
            RequestPool pool,
            Map<String, String> facts) {
        this.store = store;
        this.place = place;
        this.can = can;
        this.rules = rules;
        this.pool = pool;
        this.facts = Map.copyOf(facts);
        // A token of a backend that was closed means nothing to the next one.
        tokens = new AtomicLong(System.nanoTime() << 20);
    }

    @Override
    public Lane openLane() {
        if (closed()) {
            throw new StorageException(Status.UNAVAILABLE, place + " is closed");
        }
        return new ObjectLane(this);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        throw new StorageException(
                Status.UNSUPPORTED, "object stores have no slots; use a dynamic store (pool_size = 0) on " + place);
    }

    @Override
    public void list(int root, String prefix, long deadline, ObjectVisitor visitor) {
        if (!can.has(Feature.LIST)) {
            throw new StorageException(Status.UNSUPPORTED, place + " cannot be listed");
        }
        if (closed()) {
            throw new StorageException(Status.UNAVAILABLE, place + " is closed");
        }
        String problem = rules.problem(prefix + "x");
        if (problem != null) {
            throw new StorageException(Status.INVALID, "prefix \"" + prefix + "\" " + problem);
        }
        Listing listing = new Listing(rules.prefix(), deadline, visitor);
        try (Alarm alarm = new Alarm(deadline)) {
            listing.check();
            alarm.exchange().enter();
            try {
                store.list(rules.prefix() + prefix, listing);
            } finally {
                alarm.exchange().leave();
            }
        } catch (StorageException known) {
            throw known;
        } catch (RuntimeException failure) {
            listing.check();
            Answer answer = store.explain(failure);
            throw new StorageException(answer.status(), "listing " + place + " failed: " + answer.sentence(), failure);
        }
    }

    @Override
    public BackendReport report() {
        return new BackendReport(facts, counters.values());
    }

    @Override
    public boolean drain(long deadline) {
        return pool.finish(deadline);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        staged.forEach((token, upload) -> forget(token, upload.name()));
        if (!pool.finish(System.nanoTime() + CLOSE_NANOS)) {
            LOG.warn("{}: requests still run {} s after closing; their connections are closed", place, 10);
        }
        // What was staged meanwhile.
        staged.forEach((token, upload) -> forget(token, upload.name()));
        int left = pool.leftovers().finish(System.nanoTime() + CLOSE_NANOS);
        if (left > 0) {
            RuntimeException reason = pool.leftovers().reason();
            LOG.warn(
                    "{}: {} staged upload(s) could not be discarded and wait for the store's life-cycle rule: {}",
                    place,
                    left,
                    reason == null ? "no answer" : store.explain(reason).sentence());
        }
        store.close();
    }

    synchronized boolean closed() {
        return closed;
    }

    ObjectStore store() {
        return store;
    }

    String place() {
        return place;
    }

    Capabilities can() {
        return can;
    }

    KeyRules rules() {
        return rules;
    }

    RequestPool pool() {
        return pool;
    }

    ObjectCounters counters() {
        return counters;
    }

    /** A token that no upload has yet. */
    long newToken() {
        return tokens.incrementAndGet();
    }

    /** Keeps an upload until its token is brought. */
    void keep(long token, Staged upload) {
        staged.put(token, upload);
    }

    /** The upload of a token, which is spent with that; empty if there is none of this key. */
    Optional<Staged> take(long token, String key) {
        Staged upload = staged.get(token);
        return upload != null && upload.name().equals(key) && staged.remove(token, upload)
                ? Optional.of(upload)
                : Optional.empty();
    }

    /** Ends the upload of a token soon, if nobody has taken it. */
    void forget(long token, String key) {
        take(token, key).ifPresent(this::discardLater);
    }

    /** Ends an upload soon. */
    void discardLater(Staged upload) {
        pool.leftovers().end(() -> store.discard(upload));
    }
}
