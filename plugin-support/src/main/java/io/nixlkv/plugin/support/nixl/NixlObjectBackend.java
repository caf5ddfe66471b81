package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.plugin.support.file.ActiveTransfers;
import io.nixlkv.spi.BackendReport;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Objects of a native plugin. NIXL puts, gets and asks whether a key is there, and nothing else: objects stay until the store's own
 * rules remove them, and stored lengths are unknown.
 */
public final class NixlObjectBackend implements StorageBackend {
    private static final Pattern POOL_NAME = Pattern.compile("[A-Za-z0-9_-]+");
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String store;
    private final NixlAgents agents;
    private final NixlObjectNames names;
    private final ActiveTransfers active = new ActiveTransfers();

    private NixlObjectBackend(String store, NixlAgents agents, NixlObjectNames names) {
        this.store = store;
        this.agents = agents;
        this.names = names;
    }

    /**
     * @param store name of the strategy, for messages
     * @param arena the memory of all transfers
     * @return the backend, owned by the caller
     * @throws StorageException saying what is missing
     */
    public static NixlObjectBackend open(
            String store, NixlSettings settings, NixlObjectNames names, MemoryArena arena) {
        return new NixlObjectBackend(store, NixlAgents.open(settings.silently(), Storage.OBJECTS, arena), names);
    }

    /**
     * What NIXL can do for objects. A longer object is read in part without a word, so DETECTS_LONG is absent; a shorter one is
     * found out by a mark at the end of the slice.
     */
    public static Capabilities capabilities(NixlObjectNames names, long maxObjectBytes, int maxBatch) {
        return new Capabilities(
                Set.of(Feature.REPLACE, Feature.DETECTS_SHORT, Feature.SLOTS),
                1,
                maxObjectBytes,
                names.maxBytes(),
                maxBatch);
    }

    @Override
    public Lane openLane() {
        requireOpen();
        return new NixlObjectLane(this, store, agents, names, active);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        requireOpen();
        if (!POOL_NAME.matcher(name).matches() || count < 1 || slotBytes < 1) {
            throw new StorageException(
                    Status.INVALID,
                    store + ": a pool has a name of letters, digits, - and _, at least one slot and at least one byte,"
                            + " not \"" + name + "\" with " + count + " slots of " + slotBytes + " bytes");
        }
        return new NixlObjectPool(this, names.slots(), name, count, slotBytes);
    }

    @Override
    public void list(int root, String prefix, long deadline, ObjectVisitor visitor) {
        throw new StorageException(Status.UNSUPPORTED, store + " engine nixl cannot list: NIXL has no such call");
    }

    @Override
    public BackendReport report() {
        Map<String, String> facts = new LinkedHashMap<>(agents.facts());
        facts.put("removal", "none: objects stay until the store's own rules remove them");
        return new BackendReport(facts, agents.counters());
    }

    @Override
    public boolean drain(long deadline) {
        return active.await(deadline);
    }

    /** Waits at most five seconds for running batches. */
    @Override
    public void close() {
        if (active.close()) {
            active.await(System.nanoTime() + CLOSE_NANOS);
        }
    }

    private void requireOpen() {
        if (active.closed()) {
            throw new StorageException(Status.UNAVAILABLE, store + " store is closed; open it again");
        }
    }
}
