package io.nixlkv.api.hicache;

import io.nixlkv.api.KvSlice;
import java.nio.ByteBuffer;

/** A pool whose pages consist of contiguous parts in the store's arena, which can be transferred where they are. */
public interface SlicedPool extends HostPool {
    /** Parts of a page, each an object of its own: K and V, or one where a page has a single representation. */
    int parts();

    /** Bytes of one part of any page. */
    int partBytes(int part);

    /** Where a part of a page is. */
    KvSlice slice(int page, int part);

    /** Whether the first page of each part, and the distance to the next page, are multiples of {@code bytes}. */
    boolean isAligned(int bytes);

    /** A view of a part, position 0. */
    ByteBuffer buffer(int page, int part);

    @Override
    default int pageBytes() {
        int bytes = 0;
        for (int part = 0; part < parts(); part++) {
            bytes = Math.addExact(bytes, partBytes(part));
        }
        return bytes;
    }

    @Override
    default void copyOut(int page, ByteBuffer flat) {
        for (int part = 0; part < parts(); part++) {
            flat.put(buffer(page, part));
        }
    }

    @Override
    default void copyIn(int page, ByteBuffer flat) {
        for (int part = 0; part < parts(); part++) {
            ByteBuffer target = buffer(page, part);
            target.put(flat.slice(flat.position(), target.remaining()));
            flat.position(flat.position() + partBytes(part));
        }
    }
}
