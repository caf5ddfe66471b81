package io.nixlkv.host.store;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.TransferBatch;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Objects in memory, with a hook before each batch and a failure for chosen names and operations. */
final class ScriptedBackend implements StorageBackend {
    final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
    final Map<String, byte[]> slots = new ConcurrentHashMap<>();
    final Map<Long, byte[]> staged = new ConcurrentHashMap<>();
    final List<Integer> batchSizes = new CopyOnWriteArrayList<>();
    final AtomicInteger openLanes = new AtomicInteger();
    final AtomicInteger opened = new AtomicInteger();
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final AtomicLong tokens = new AtomicLong(1);
    private final int roots;
    private volatile Consumer<TransferBatch> hook = batch -> {};
    private volatile Consumer<TransferBatch> afterHook = batch -> {};
    private volatile Runnable closeHook = () -> {};
    private volatile Runnable laneHook = () -> {};
    private volatile boolean closed;

    ScriptedBackend(int roots) {
        this.roots = roots;
    }

    ScriptedBackend() {
        this(1);
    }

    /** The same slots, opened again. */
    ScriptedBackend again() {
        ScriptedBackend other = new ScriptedBackend(roots);
        other.slots.putAll(slots);
        return other;
    }

    static EngineOffer offer(int maxBatch, Feature... without) {
        EnumSet<Feature> features = EnumSet.allOf(Feature.class);
        for (Feature feature : without) {
            features.remove(feature);
        }
        return EngineOffer.usable(
                "memory",
                Set.of(Segment.DRAM_SEG, Segment.FILE_SEG),
                new Capabilities(features, 1, Capabilities.MAX_OBJECT_BYTES, 1000, maxBatch));
    }

    /** Runs before every batch, on the worker's thread. */
    void before(Consumer<TransferBatch> action) {
        hook = action;
    }

    /** Runs after every batch, on the worker's thread, before the lane returns. */
    void after(Consumer<TransferBatch> action) {
        afterHook = action;
    }

    /** Runs first when a lane is opened, on the thread that opens it. */
    void beforeLane(Runnable action) {
        laneHook = action;
    }

    /** Runs first when it is closed. */
    void beforeClose(Runnable action) {
        closeHook = action;
    }

    void fail(TransferBatch.Op op, String name) {
        failing.add(op + " " + name);
    }

    @Override
    public int roots() {
        return roots;
    }

    @Override
    public Lane openLane() {
        laneHook.run();
        openLanes.incrementAndGet();
        opened.incrementAndGet();
        return new Lane() {
            private boolean open = true;

            @Override
            public void execute(TransferBatch batch) {
                batchSizes.add(batch.size());
                hook.accept(batch);
                for (int i = 0; i < batch.size(); i++) {
                    if (((io.nixlkv.spi.PackedBatch) batch).status(i) == null) {
                        one(batch, i);
                    }
                }
                afterHook.accept(batch);
            }

            @Override
            public void close() {
                if (open) {
                    open = false;
                    openLanes.decrementAndGet();
                }
            }
        };
    }

    private void one(TransferBatch batch, int i) {
        if (batch.pool() != null) {
            slot(batch, i, batch.root(i) + ":" + batch.slot(i));
            return;
        }
        String name = batch.root(i) + ":" + batch.name(i);
        if (closed) {
            batch.fail(i, Status.UNAVAILABLE, 0, "the backend is closed");
        } else if (failing.contains(batch.op() + " " + batch.name(i))) {
            batch.fail(i, Status.FAILED, 5, "scripted failure of " + batch.name(i));
        } else {
            switch (batch.op()) {
                case WRITE -> put(batch, i, name, bytes(batch, i));
                case STAGE -> {
                    long token = tokens.getAndIncrement();
                    staged.put(token, bytes(batch, i));
                    batch.staged(i, token);
                }
                case PUBLISH -> put(batch, i, name, staged.remove(batch.token(i)));
                case DISCARD ->
                    batch.complete(i, staged.remove(batch.token(i)) == null ? Status.MISSING : Status.DONE, -1);
                case READ -> read(batch, i, objects.get(name));
                case QUERY -> {
                    byte[] found = objects.get(name);
                    batch.complete(i, found == null ? Status.MISSING : Status.DONE, found == null ? -1 : found.length);
                }
                case DELETE -> batch.complete(i, objects.remove(name) == null ? Status.MISSING : Status.DONE, -1);
            }
        }
    }

    private void slot(TransferBatch batch, int i, String slot) {
        if (failing.contains(batch.op() + " " + slot)) {
            batch.fail(i, Status.FAILED, 5, "scripted failure of slot " + slot);
        } else if (batch.op() == TransferBatch.Op.WRITE) {
            slots.put(slot, bytes(batch, i));
            batch.complete(i, Status.DONE, batch.length(i));
        } else if (slots.containsKey(slot)) {
            batch.slice(i).put(slots.get(slot), 0, Math.min(slots.get(slot).length, batch.length(i)));
            batch.complete(i, Status.DONE, batch.length(i));
        } else {
            batch.complete(i, Status.MISSING, -1);
        }
    }

    private void put(TransferBatch batch, int i, String name, byte[] value) {
        byte[] present = batch.mode() == TransferBatch.Mode.CREATE ? objects.putIfAbsent(name, value) : null;
        if (present != null) {
            batch.complete(
                    i, present.length == value.length ? Status.ALREADY_PRESENT : Status.WRONG_SIZE, present.length);
            return;
        }
        objects.put(name, value);
        batch.complete(i, Status.DONE, value.length);
    }

    private static void read(TransferBatch batch, int i, byte[] found) {
        if (found == null) {
            batch.complete(i, Status.MISSING, -1);
        } else if (found.length != batch.length(i)) {
            batch.complete(i, Status.WRONG_SIZE, found.length);
        } else {
            batch.slice(i).put(found);
            batch.complete(i, Status.DONE, found.length);
        }
    }

    private static byte[] bytes(TransferBatch batch, int i) {
        byte[] bytes = new byte[batch.length(i)];
        batch.slice(i).get(bytes);
        return bytes;
    }

    /** Slots that the storage loses, {@code root:number}. */
    final Set<String> lost = ConcurrentHashMap.newKeySet();

    private record Pool(int count, int slotBytes, Set<String> lost) implements SlotPool {
        @Override
        public boolean isLost(int root, int slot) {
            return lost.contains(root + ":" + slot);
        }

        @Override
        public void close() {}
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        return new Pool(count, slotBytes, lost);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes, PoolLayout layout) {
        return openPool(name, count, slotBytes);
    }

    @Override
    public void list(int root, String prefix, long deadline, ObjectVisitor visitor) {
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
            String name = object.getKey();
            boolean wanted = name.startsWith(root + ":" + prefix);
            if (wanted && !visitor.visit(name.substring(name.indexOf(':') + 1), object.getValue().length, 0)) {
                return;
            }
        }
    }

    @Override
    public boolean drain(long deadline) {
        return openLanes.get() == 0;
    }

    @Override
    public void close() {
        closeHook.run();
        closed = true;
    }
}
