package io.nixlkv.host.store;

import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.Comparator;
import java.util.List;

/**
 * The bytes behind a slice, up to the next multiple of {@code l1_align_bytes}, which a transfer writes and reads with it where the
 * layout pads. A lease's own end is such a multiple; within a lease its owner must leave them free.
 */
final class Padding {
    private Padding() {}

    /** @throws StorageException INVALID if the padding of an object reaches into the slice of another one */
    static void requireFree(List<KvObject> objects, LengthRule lengths) {
        List<KvObject> placed = objects.stream()
                .sorted(Comparator.comparingInt(
                                (KvObject object) -> object.slice().segment())
                        .thenComparingInt(object -> object.slice().offset()))
                .toList();
        KvObject farthest = null;
        for (int i = 0; i < placed.size(); i++) {
            KvObject object = placed.get(i);
            if (farthest == null || farthest.slice().segment() != object.slice().segment()) {
                farthest = object;
            }
            requireFree(object, farthest, lengths);
            for (int next = i + 1; next < placed.size() && starts(placed.get(next), object, lengths); next++) {
                requireFree(object, placed.get(next), lengths);
            }
            farthest = end(object.slice()) > end(farthest.slice()) ? object : farthest;
        }
    }

    private static boolean starts(KvObject other, KvObject object, LengthRule lengths) {
        return other.slice().segment() == object.slice().segment()
                && other.slice().offset() < paddedEnd(object.slice(), lengths);
    }

    private static void requireFree(KvObject object, KvObject other, LengthRule lengths) {
        if (starts(other, object, lengths)
                && end(other.slice()) > end(object.slice())
                && end(object.slice()) < paddedEnd(object.slice(), lengths)) {
            throw new StorageException(
                    Status.INVALID,
                    "the padding of " + object.key() + " (" + object.slice() + " to a multiple of l1_align_bytes, "
                            + lengths.unit() + ") reaches into " + other.slice() + " of " + other.key()
                            + "; give each object memory of a multiple of it");
        }
    }

    private static long end(KvSlice slice) {
        return (long) slice.offset() + slice.length();
    }

    private static long paddedEnd(KvSlice slice, LengthRule lengths) {
        return slice.offset() + lengths.stored(slice.length());
    }
}
