package io.nixlkv.host.store;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.host.pool.PoolShape;
import io.nixlkv.host.pool.SlotIndex;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The label in the last slot under each root, which says whose slots they are. If an index and its slots do not belong together (the
 * slots were deleted and made anew, used with another state directory, restored from elsewhere), the index starts empty.
 */
final class PoolLabel {
    private static final String PREFIX = "nixlkv pool label 1 ";

    private final StoreSpec spec;
    private final SlotPool pool;
    private final PoolShape shape;
    private final Workers workers;
    private final HostArena arena;

    PoolLabel(StoreSpec spec, SlotPool pool, PoolShape shape, Workers workers, HostArena arena) {
        this.spec = spec;
        this.pool = pool;
        this.shape = shape;
        this.workers = workers;
        this.arena = arena;
    }

    /**
     * Empties and labels a pool whose slots are not those of its index.
     *
     * @return whether the index was right
     * @throws StorageException if labels cannot be read or written
     */
    boolean reconcile(SlotIndex index) {
        try (ArenaLease lease = arena.lease(shape.roots() * PoolShape.LABEL_BYTES, Duration.ZERO)) {
            Call read = run(Op.READ, lease);
            boolean ours = true;
            for (int root = 0; root < shape.roots(); root++) {
                if (read.status(root) != Status.DONE && read.status(root) != Status.MISSING) {
                    throw failed("read", read, root);
                }
                byte[] found = new byte[PoolShape.LABEL_BYTES];
                lease.copyOut(root * PoolShape.LABEL_BYTES, ByteBuffer.wrap(found));
                ours &= read.status(root) == Status.DONE && Arrays.equals(found, label(index.pool()));
            }
            if (!ours) {
                index.reset();
                for (int root = 0; root < shape.roots(); root++) {
                    lease.copyIn(root * PoolShape.LABEL_BYTES, ByteBuffer.wrap(label(index.pool())));
                }
                Call write = run(Op.WRITE, lease);
                for (int root = 0; root < shape.roots(); root++) {
                    if (write.status(root) != Status.DONE) {
                        throw failed("write", write, root);
                    }
                }
            }
            return ours;
        }
    }

    private StorageException failed(String verb, Call call, int root) {
        return new StorageException(
                call.status(root),
                "cannot " + verb + " the label of the static pool in " + spec.name() + ", root " + root + ": "
                        + call.sentence(root));
    }

    private Call run(Op op, ArenaLease lease) {
        CompletableFuture<Call> done = new CompletableFuture<>();
        int[] roots = new int[shape.roots()];
        Arrays.setAll(roots, root -> root);
        int[] slots = new int[shape.roots()];
        Arrays.fill(slots, shape.label());
        Call call = new Call(
                op,
                Mode.REPLACE,
                spec.durable(),
                System.nanoTime() + spec.deadline().toNanos(),
                new byte[0],
                new int[shape.roots()],
                new int[shape.roots()],
                done::complete);
        call.slots(pool, slots, roots, SlotHolder.NONE);
        for (int root = 0; root < shape.roots(); root++) {
            call.slice(
                    root,
                    lease.slice().segment(),
                    lease.slice().offset() + root * PoolShape.LABEL_BYTES,
                    PoolShape.LABEL_BYTES);
        }
        workers.submit(call);
        return done.join();
    }

    private static byte[] label(UUID pool) {
        return Arrays.copyOf((PREFIX + pool).getBytes(StandardCharsets.US_ASCII), PoolShape.LABEL_BYTES);
    }
}
