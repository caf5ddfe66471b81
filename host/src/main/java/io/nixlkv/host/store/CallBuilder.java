package io.nixlkv.host.store;

import io.nixlkv.api.KvKey;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.NameBuffer;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Turns the keys of a batch into a call, and refuses what is wrong with it before anything is written. */
final class CallBuilder {
    private final Layout layout;
    private final Router router;
    private final int maxNameBytes;

    CallBuilder(Layout layout, Router router, Capabilities can) {
        this.layout = layout;
        this.router = router;
        this.maxNameBytes = can.maxNameBytes();
    }

    /**
     * @param key the batch's keys
     * @throws StorageException INVALID for an empty batch, a key given twice, or a name that layout or engine refuse
     */
    Call build(Op op, Mode mode, boolean durable, long deadline, int size, IntFunction<KvKey> key, Consumer<Call> whenDone) {
        if (size == 0) {
            throw new StorageException(Status.INVALID, "the batch is empty");
        }
        Set<KvKey> seen = new HashSet<>(size * 2);
        NameBuffer names = new NameBuffer();
        int[] ends = new int[size];
        int[] roots = new int[size];
        int start = 0;
        for (int item = 0; item < size; item++) {
            KvKey present = key.apply(item);
            if (!seen.add(present)) {
                throw new StorageException(
                        Status.INVALID, "key " + present + " is twice in the batch (second time at index " + item + ")");
            }
            layout.name(present, names);
            int end = names.length();
            if (end - start > maxNameBytes) {
                throw new StorageException(
                        Status.INVALID,
                        "the name of " + present + " has " + (end - start) + " bytes; the engine takes at most "
                                + maxNameBytes);
            }
            ends[item] = end;
            roots[item] = router.root(names.array(), start, end);
            start = end;
        }
        return new Call(op, mode, durable, deadline, names.array(), ends, roots, whenDone);
    }
}
