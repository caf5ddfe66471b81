package io.nixlkv.nativeio;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Carries out packed batches, one call for each. Results of items that went well are in the batch itself; what has to be finished
 * or explained comes back as remarks. One thread at a time.
 */
public final class TransferLane implements AutoCloseable {
    /** {@link #kind}: a rare case that pure Java carries out. */
    public static final int IN_JAVA = 0;

    /** {@link #kind}: written; done once its directory or pool is on stable storage. */
    public static final int SYNC_DONE = -1;

    /** {@link #kind}: was there; done once its directory is on stable storage. */
    public static final int SYNC_PRESENT = -2;

    private static final int REMARK_BYTES = 16;
    private static final int COUNTER_BYTES = 32;
    private static final int ITEM_COUNT = 20;
    private static final int FIRST_ITEMS = 64;

    private final ByteBuffer counters = DirectBuffers.allocate(COUNTER_BYTES);
    private final long countersAddress = DirectBuffers.address(counters);
    private final List<ByteBuffer> segments;
    private ByteBuffer remarks = DirectBuffers.allocate(FIRST_ITEMS * REMARK_BYTES);
    private long remarksAddress = DirectBuffers.address(remarks);
    private long handle;

    TransferLane(long handle, List<ByteBuffer> segments) {
        this.handle = handle;
        this.segments = List.copyOf(segments);
    }

    /**
     * Carries out the batch; when it returns, nothing touches the slices any more.
     *
     * @param packed the whole direct buffer of the batch
     * @param remainingNanos time until its deadline
     * @return how many remarks there are
     * @throws IllegalArgumentException if the request is not of this library's ABI or not whole; nothing was done
     */
    public int execute(ByteBuffer packed, long remainingNanos) {
        int items = packed.getInt(ITEM_COUNT);
        if (items * REMARK_BYTES > remarks.capacity()) {
            remarks = DirectBuffers.allocate(items * REMARK_BYTES);
            remarksAddress = DirectBuffers.address(remarks);
        }
        try {
            int answer = NativeCalls.execute(
                    handle,
                    DirectBuffers.address(packed),
                    packed.capacity(),
                    remainingNanos,
                    remarksAddress,
                    remarks.capacity() / REMARK_BYTES,
                    countersAddress);
            if (answer < 0) {
                throw new IllegalArgumentException(
                        "the packed batch is not of ABI " + NativeIo.packedAbi() + " or not whole");
            }
            return answer;
        } finally {
            Reference.reachabilityFence(packed);
            Reference.reachabilityFence(segments);
        }
    }

    /** Item of a remark. */
    public int item(int remark) {
        return remarks.getInt(remark * REMARK_BYTES);
    }

    /** Above 0: the status code with which the item fails; else one of the constants here. */
    public int kind(int remark) {
        return remarks.getInt(remark * REMARK_BYTES + 4);
    }

    /** The errno of a failed item; 0 if there is none. */
    public int errno(int remark) {
        return remarks.getInt(remark * REMARK_BYTES + 8);
    }

    /** Where the item failed. */
    public Step step(int remark) {
        return Step.of(remarks.getInt(remark * REMARK_BYTES + 12));
    }

    /** Transfers of the last batch that went around the page cache. */
    public long direct() {
        return counters.getLong(0);
    }

    /** Transfers of the last batch through the page cache. */
    public long buffered() {
        return counters.getLong(8);
    }

    /** Bytes read by the last batch. */
    public long bytesRead() {
        return counters.getLong(16);
    }

    /** Bytes written by the last batch. */
    public long bytesWritten() {
        return counters.getLong(24);
    }

    /** Why the arena is not registered with the kernel: an errno, 0 if it is, -1 if there is no reason to. */
    public int registration() {
        return NativeCalls.laneRegistration(handle);
    }

    /** Idempotent. */
    @Override
    public void close() {
        if (handle != 0) {
            NativeCalls.laneClose(handle);
            handle = 0;
        }
    }
}
