package io.nixlkv.host.store;

import io.nixlkv.api.KvKey;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.NameBuffer;
import io.nixlkv.host.layout.Routing;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Turns the keys of a batch into a call, and refuses what is wrong with it before anything is written. */
final class CallBuilder {
    private static final int TYPICAL_NAME_BYTES = 96;

    private final Layout layout;
    private final Routing routing;
    private final int countOfRoots;
    private final int maxNameBytes;

    CallBuilder(Layout layout, int roots, Capabilities can) {
        this.layout = layout;
        routing = layout.routing().orElseGet(Router::new);
        countOfRoots = roots;
        this.maxNameBytes = can.maxNameBytes();
    }

    /**
     * @param key the batch's keys
     * @throws StorageException INVALID for an empty batch, a key given twice, or a name that layout or engine refuse
     */
    Call build(
            Op op,
            Mode mode,
            boolean durable,
            long deadline,
            int size,
            IntFunction<KvKey> key,
            Consumer<Call> whenDone) {
        if (size == 0) {
            throw new StorageException(Status.INVALID, "the batch is empty");
        }
        Set<KvKey> seen = new HashSet<>(size * 2);
        NameBuffer name = new NameBuffer();
        byte[] names = new byte[size * TYPICAL_NAME_BYTES];
        int[] ends = new int[size];
        int[] roots = new int[size];
        int start = 0;
        for (int item = 0; item < size; item++) {
            KvKey present = key.apply(item);
            if (!seen.add(present)) {
                throw new StorageException(
                        Status.INVALID,
                        "key " + present + " is twice in the batch (second time at index " + item + ")");
            }
            layout.name(present, name);
            if (name.length() > maxNameBytes) {
                throw new StorageException(
                        Status.INVALID,
                        "the name of " + present + " has " + name.length() + " bytes; the engine takes at most "
                                + maxNameBytes);
            }
            int end = start + name.length();
            if (end > names.length) {
                names = Arrays.copyOf(names, Math.max(end, names.length * 2));
            }
            System.arraycopy(name.array(), 0, names, start, name.length());
            ends[item] = end;
            roots[item] = countOfRoots == 1 ? 0 : routing.root(names, start, end, countOfRoots);
            start = end;
        }
        return new Call(op, mode, durable, deadline, names, ends, roots, whenDone);
    }
}
