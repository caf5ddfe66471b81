package io.nixlkv.host.store;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KeyVisitor;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.host.layout.NameBuffer;
import io.nixlkv.host.pool.PoolShape;
import io.nixlkv.host.pool.SlotIndex;
import io.nixlkv.host.pool.SlotUse;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store with a fixed number of equal slots, opened once; which key is in which slot is in memory and in a state directory. One
 * process owns it. Lookups and deletions touch no storage. A restart finds what was stored. See {@link KvStore} for the contract.
 */
public final class StaticPoolStore extends TransferStore {
    private static final String POOL = "kv";
    private static final String SPOILED = "not stored, since the batch is all-or-nothing and another object failed";
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
    private static final Duration BACKEND_PATIENCE = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(StaticPoolStore.class);

    private final PoolSettings settings;
    private final StorageBackend backend;
    private final SlotIndex index;
    private final SlotPool pool;
    private final Workers workers;
    private final Recorder recorder;
    private final CallBuilder calls;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Takes over the backend, also if the constructor fails.
     *
     * @throws StorageException if the engine has no slots, the pool has another owner or another shape, a slot does not fit the
     *     arena, or the storage cannot be opened
     */
    public StaticPoolStore(StoreSpec spec, PoolSettings settings, StorageBackend backend, MemoryArena memory) {
        super(spec, memory);
        this.settings = settings;
        this.backend = backend;
        recorder = new Recorder(spec.strategy());
        Capabilities can = spec.engine().can();
        SlotIndex openedIndex = null;
        SlotPool openedPool = null;
        Workers startedWorkers = null;
        try {
            requireSlots();
            PoolShape shape = new PoolShape(settings.slots(), settings.slotBytes(), backend.roots(), settings.layout());
            openedIndex = SlotIndex.open(settings.stateDir(), shape, recorded(), !spec.isFile(), settings.evicts());
            openedPool = backend.openPool(poolName(), shape.perRoot(), shape.slotBytes(), shape.layout());
            dropLost(openedIndex, openedPool);
            startedWorkers = new Workers(
                    "nixlkv-" + spec.strategy().toLowerCase(Locale.ROOT),
                    backend,
                    arena,
                    spec.workers(),
                    can.maxBatch());
            if (!new PoolLabel(spec, openedPool, shape, startedWorkers, arena).reconcile(openedIndex)) {
                LOG.info("the static pool in {} starts empty", spec.name());
            }
        } catch (RuntimeException refused) {
            closeAll(startedWorkers, openedPool, openedIndex == null ? () -> {} : openedIndex::giveUp);
            throw refused;
        }
        index = openedIndex;
        pool = openedPool;
        workers = startedWorkers;
        calls = new CallBuilder(
                spec.layout(),
                1,
                new Capabilities(
                        can.features(),
                        can.alignment(),
                        can.maxObjectBytes(),
                        SlotIndex.MAX_NAME_BYTES,
                        can.maxBatch()));
    }

    /**
     * Whether the index is on stable storage before a store is answered. Slots in a store outlive this machine: an index that fell
     * behind them in a power cut would name the object that was in a slot before.
     */
    private boolean recorded() {
        return spec.durable() || !spec.isFile();
    }

    /** Slots of files belong to the directory that has them; slots in a store that others use too to the index that knows them. */
    private String poolName() {
        return spec.isFile()
                ? POOL
                : POOL + "-"
                        + UUID.nameUUIDFromBytes(settings.stateDir()
                                .toAbsolutePath()
                                .normalize()
                                .toString()
                                .getBytes(StandardCharsets.UTF_8));
    }

    /** Nothing may be written before this: it would make a lost slot look whole. */
    private void dropLost(SlotIndex openedIndex, SlotPool openedPool) {
        PoolShape shape = openedIndex.shape();
        int dropped = openedIndex.dropLost(slot -> openedPool.isLost(shape.root(slot), shape.number(slot)));
        if (dropped > 0) {
            LOG.warn("the static pool in {} lost {} objects with the files of their slots", spec.name(), dropped);
        }
    }

    private void requireSlots() {
        requireFeature(Feature.SLOTS, "a static pool (pool_size above 0)");
        if (settings.layout() == PoolLayout.FILES) {
            requireFeature(
                    Feature.SLOT_FILES,
                    "pool_layout = \"files\"",
                    "; leave it out, or use an engine of files that has it, such as threads or nio");
        }
        if (settings.slotBytes() > spec.engine().can().maxObjectBytes()) {
            throw new StorageException(
                    Status.INVALID,
                    "slot_bytes is " + settings.slotBytes() + ", and engine "
                            + spec.engine().engine() + " of " + spec.name() + " has objects of at most "
                            + spec.engine().can().maxObjectBytes() + " bytes");
        }
        if (spec.lengths().stored(spec.objectBytes()) > settings.slotBytes()) {
            throw new StorageException(
                    Status.INVALID,
                    "slot_bytes is " + settings.slotBytes() + ", too small for objects of object_bytes = "
                            + spec.objectBytes() + "; make slot_bytes at least "
                            + spec.lengths().stored(spec.objectBytes()));
        }
        arena.lease(settings.slotBytes(), Duration.ZERO).close();
    }

    @Override
    long maxObjectBytes() {
        return Math.min(settings.slotBytes(), spec.engine().can().maxObjectBytes());
    }

    @Override
    String lengthHint() {
        return ": a slot has slot_bytes = " + settings.slotBytes();
    }

    @Override
    void storing(List<KvObject> objects, CallOptions options, Consumer<BatchResult> answer) {
        boolean whole = orElse(options.atomicity(), spec.atomicity()) == Atomicity.ALL_OR_NOTHING;
        Mode mode = orElse(options.mode(), spec.mode());
        Call all = call(
                Op.WRITE, mode, options, objects.size(), i -> objects.get(i).key());
        slices(all, objects, true);
        Reasons reasons = reasons("store", i -> objects.get(i).key().text());
        SlotCall slots = new SlotCall(index, pool, all);
        slots.claim(mode, whole);
        if (whole && slots.spoiled()) {
            slots.giveUp(null, Status.FAILED, SPOILED);
            slots.settle();
            finish(all, reasons, answer);
            return;
        }
        Call transfer = slots.transfer(Op.WRITE, done -> {
            if (recorded()) {
                recorder.execute(() -> written(slots, done, all, mode, whole, reasons, answer));
            } else {
                written(slots, done, all, mode, whole, reasons, answer);
            }
        });
        try {
            if (transfer != null && recorded()) {
                int[] claimed = slots.transferred();
                index.force(claimed, claimed.length);
            }
        } catch (RuntimeException | Error failed) {
            unrecorded(slots, null, whole, failed);
            slots.settle();
            finish(all, reasons, answer);
            return;
        }
        submit(transfer, slots, all, reasons, answer);
    }

    private void written(
            SlotCall slots,
            Call transfer,
            Call all,
            Mode mode,
            boolean whole,
            Reasons reasons,
            Consumer<BatchResult> answer) {
        try {
            if (!spec.isFile()) {
                slots.keepUnsure(transfer);
            }
            if (whole && !stored(transfer)) {
                slots.giveUp(transfer, Status.FAILED, SPOILED);
            } else {
                slots.written(transfer, mode);
            }
            if (recorded()) {
                int[] published = slots.transferred();
                index.secure(published, published.length);
            }
        } catch (RuntimeException | Error failed) {
            unrecorded(slots, transfer, whole, failed);
        }
        slots.settle();
        finish(all, reasons, answer);
    }

    private void unrecorded(SlotCall slots, Call transfer, boolean whole, Throwable failed) {
        String why = "the index of the static pool in " + settings.stateDir() + " could not be written: " + failed
                + "; after a crash of the machine the object may be missing; check store.state_dir";
        LOG.error("{}: {}", spec.name(), why, failed);
        Status status = failed instanceof StorageException known ? known.status() : Status.FAILED;
        if (whole) {
            slots.giveUp(transfer, status, why);
        } else {
            slots.fail(transfer, status, why);
        }
    }

    private static boolean stored(Call call) {
        for (int item = 0; item < call.size(); item++) {
            if (!call.status(item).stored()) {
                return false;
            }
        }
        return true;
    }

    @Override
    void loading(List<KvObject> objects, CallOptions options, Consumer<BatchResult> answer) {
        Call all = call(
                Op.READ,
                Mode.CREATE,
                options,
                objects.size(),
                i -> objects.get(i).key());
        slices(all, objects, false);
        Reasons reasons = reasons("load", i -> objects.get(i).key().text());
        SlotCall slots = new SlotCall(index, pool, all);
        slots.find();
        Call transfer = slots.transfer(Op.READ, done -> {
            slots.loaded(done);
            slots.settle();
            finish(all, reasons, answer);
        });
        submit(transfer, slots, all, reasons, answer);
    }

    private void submit(Call transfer, SlotCall slots, Call all, Reasons reasons, Consumer<BatchResult> answer) {
        if (transfer == null) {
            slots.settle();
            finish(all, reasons, answer);
            return;
        }
        try {
            workers.submit(transfer);
        } catch (StorageException closing) {
            slots.giveUp(null, closing.status(), closing.getMessage());
            slots.settle();
            throw closing;
        }
    }

    @Override
    void lookingUp(List<? extends KvKey> keys, CallOptions options, long[] expected, Consumer<BatchResult> answer) {
        requireExpected(keys, expected);
        Call call = call(Op.QUERY, Mode.CREATE, options, keys.size(), keys::get);
        byte[] name = new byte[SlotIndex.MAX_NAME_BYTES];
        for (int item = 0; item < call.size(); item++) {
            int length = call.name(item, name);
            int stored = index.length(index.digest(name, length), name, length);
            call.end(item, stored == SlotIndex.NONE ? Status.MISSING : Status.DONE, stored, null);
            call.expect(item, spec.lengths().stored(expected(expected, item)));
        }
        finish(call, reasons("look up", i -> keys.get(i).text()), answer);
    }

    @Override
    void deleting(List<? extends KvKey> keys, CallOptions options, Consumer<BatchResult> answer) {
        Call call = call(Op.DELETE, Mode.CREATE, options, keys.size(), keys::get);
        byte[] name = new byte[SlotIndex.MAX_NAME_BYTES];
        for (int item = 0; item < call.size(); item++) {
            int length = call.name(item, name);
            boolean deleted = index.delete(index.digest(name, length), name, length);
            call.end(item, deleted ? Status.DONE : Status.MISSING, null);
        }
        finish(call, reasons("delete", i -> keys.get(i).text()), answer);
    }

    /** An object is in use although nobody reads its slot. */
    public void used(KvKey key) {
        NameBuffer name = new NameBuffer();
        spec.layout().name(key, name);
        if (name.length() <= SlotIndex.MAX_NAME_BYTES) {
            index.length(index.digest(name.array(), name.length()), name.array(), name.length());
        }
    }

    private Call call(Op op, Mode mode, CallOptions options, int size, IntFunction<KvKey> key) {
        return calls.build(op, mode, spec.durable(), deadline(options), size, key, done -> {});
    }

    @Override
    public void list(String prefix, KeyVisitor visitor) {
        index.forEach(prefix, (name, length, lastUse) -> {
            Optional<KvKey> key = spec.layout().parseName(name);
            return key.isEmpty() || visitor.visit(key.get(), length, lastUse);
        });
    }

    @Override
    public StoreStatus status() {
        SlotUse use = index.use();
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("supports_delete", true);
        more.put("slots_used", use.used());
        more.put("slots_total", use.total());
        more.put("slot_bytes", settings.slotBytes());
        more.put("slots_evicted", use.evicted());
        more.put("slots_recovered", use.recovered());
        more.put("slots_damaged", use.damaged());
        more.put("pool_layout", settings.layout().name().toLowerCase(Locale.ROOT));
        more.put("pool_full", settings.evicts() ? "evict" : "refuse");
        more.put("state_dir", settings.stateDir().toString());
        return StatusReport.of("static_pool", spec, backend, workers, arena, health, more);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            closeAll(workers, pool, index::close);
        } finally {
            release(workers, backend);
            endCompletions();
        }
    }

    /** What a lane is still stuck with keeps the pool locked until the process ends: nobody else may get its slots. */
    private void closeAll(Workers someWorkers, SlotPool somePool, Runnable closeIndex) {
        long deadline = System.nanoTime() + CLOSE_PATIENCE.toNanos();
        boolean quiet = (someWorkers == null || someWorkers.close(deadline))
                & backend.drain(deadline)
                & recorder.close(deadline);
        if (!quiet) {
            LOG.error(
                    "{}: transfers still run {} s after close; their memory stays mapped and the pool locked until they end",
                    spec.name(),
                    CLOSE_PATIENCE.toSeconds());
            return;
        }
        if (!BoundedClose.within(BACKEND_PATIENCE.toNanos(), "nixlkv-close", () -> closeQuiet(somePool, closeIndex))) {
            LOG.error(
                    "{}: the storage did not answer within {} s of close; the pool stays locked until it does",
                    spec.name(),
                    BACKEND_PATIENCE.toSeconds());
        }
    }

    private void closeQuiet(SlotPool somePool, Runnable closeIndex) {
        try {
            if (somePool != null) {
                somePool.close();
            }
        } finally {
            try {
                backend.close();
            } finally {
                closeIndex.run();
            }
        }
    }
}
