package io.nixlkv.api.hicache;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvSlice;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A host pool in a store's arena: transfers run straight from and into its pages. The pool owns the memory that {@link #lease} took,
 * until it is closed; memory given to {@link #over} stays the application's. Immutable and thread-safe.
 */
public final class ArenaPool implements SlicedPool, AutoCloseable {
    private static final int PAGE = 4096;
    private static final int LARGEST = 1 << 30;

    /**
     * One part of every page: page {@code i} lies {@code i * stride} bytes behind the first one.
     *
     * @param extents the memory, in order; all but the last hold equally many pages, since no slice is longer than 1 GiB
     * @param stride bytes from a page to the next, at least {@code bytes}
     * @param bytes bytes of the part
     */
    public record Part(List<KvSlice> extents, int stride, int bytes) {
        /** @throws IllegalArgumentException if a page does not fit its stride or an extent */
        public Part {
            extents = List.copyOf(extents);
            if (bytes < 1 || stride < bytes || extents.isEmpty()) {
                throw new IllegalArgumentException(
                        "a part needs memory, and a stride of at least its size: " + bytes + " bytes every " + stride);
            }
            for (int i = 0; i < extents.size() - 1; i++) {
                if (held(extents.get(i), stride, bytes) != held(extents.get(0), stride, bytes)) {
                    throw new IllegalArgumentException("extents must hold equally many pages: " + extents);
                }
            }
        }

        /** A part in one piece of memory. */
        public Part(KvSlice memory, int stride, int bytes) {
            this(List.of(memory), stride, bytes);
        }

        private static int held(KvSlice extent, int stride, int bytes) {
            return extent.length() < bytes ? 0 : (extent.length() - bytes) / stride + 1;
        }

        private int pages() {
            return extents.stream()
                    .mapToInt(extent -> held(extent, stride, bytes))
                    .sum();
        }

        private KvSlice slice(int page) {
            int each = held(extents.get(0), stride, bytes);
            KvSlice extent = extents.get(page / each);
            return new KvSlice(extent.segment(), extent.offset() + page % each * stride, bytes);
        }

        private boolean isAligned(int unit) {
            return stride % unit == 0 && extents.stream().allMatch(extent -> extent.offset() % unit == 0);
        }
    }

    private final KvArena arena;
    private final String layout;
    private final int pages;
    private final List<Part> parts;
    private final List<ArenaLease> leases;

    private ArenaPool(KvArena arena, String layout, int pages, List<Part> parts, List<ArenaLease> leases) {
        this.arena = arena;
        this.layout = layout;
        this.pages = pages;
        this.parts = List.copyOf(parts);
        this.leases = List.copyOf(leases);
    }

    /**
     * A pool in memory that the application laid out in the arena, and keeps from others: by a lease, or because it owns the arena
     * and leased the place.
     *
     * @throws IllegalArgumentException if a part holds fewer pages
     * @throws StorageException {@code INVALID} if a part is outside the arena
     */
    public static ArenaPool over(KvArena arena, String layout, int pages, List<Part> parts) {
        requireSome(pages, parts.size());
        for (Part part : parts) {
            if (part.pages() < pages) {
                throw new IllegalArgumentException(part + " holds " + part.pages() + " pages, not " + pages);
            }
            part.extents().forEach(arena::buffer);
        }
        return new ArenaPool(arena, layout, pages, parts, List.of());
    }

    /**
     * Leases memory for a pool, with strides rounded up to 4096 bytes, so that direct I/O needs no copies.
     *
     * @param layout {@code page_first}, {@code page_first_direct} or, for a side pool, any name
     * @param partBytes bytes of each part of a page
     * @throws StorageException {@code NO_SPACE} or {@code INVALID} if the arena cannot hold the pool now, or ever
     */
    public static ArenaPool lease(KvArena arena, String layout, int pages, int... partBytes) {
        requireSome(pages, partBytes.length);
        List<Part> parts = new ArrayList<>();
        List<ArenaLease> leases = new ArrayList<>();
        try {
            for (int bytes : partBytes) {
                int stride = Math.addExact(bytes, PAGE - 1) / PAGE * PAGE;
                parts.add(new Part(extents(arena, pages, stride, leases), stride, bytes));
            }
        } catch (RuntimeException refused) {
            leases.forEach(ArenaLease::close);
            throw refused;
        }
        return new ArenaPool(arena, layout, pages, parts, leases);
    }

    private static void requireSome(int pages, int parts) {
        if (pages < 1 || parts < 1) {
            throw new IllegalArgumentException("a pool has pages, and a page has parts");
        }
    }

    /** As few pieces as the arena has. */
    private static List<KvSlice> extents(KvArena arena, int pages, int stride, List<ArenaLease> leases) {
        for (int each = Math.max(1, Math.min(pages, LARGEST / stride)); ; each = (each + 1) / 2) {
            List<ArenaLease> taken = new ArrayList<>();
            try {
                for (int left = pages; left > 0; left -= each) {
                    taken.add(arena.lease(Math.min(left, each) * stride, Duration.ZERO));
                }
                leases.addAll(taken);
                return taken.stream().map(ArenaLease::slice).toList();
            } catch (StorageException noRoom) {
                taken.forEach(ArenaLease::close);
                if (each == 1) {
                    throw noRoom;
                }
            }
        }
    }

    @Override
    public String layout() {
        return layout;
    }

    @Override
    public int pages() {
        return pages;
    }

    @Override
    public int parts() {
        return parts.size();
    }

    @Override
    public int partBytes(int part) {
        return parts.get(part).bytes();
    }

    @Override
    public KvSlice slice(int page, int part) {
        Objects.checkIndex(page, pages);
        return parts.get(part).slice(page);
    }

    @Override
    public boolean isAligned(int bytes) {
        return parts.stream().allMatch(part -> part.isAligned(bytes));
    }

    @Override
    public ByteBuffer buffer(int page, int part) {
        return arena.buffer(slice(page, part));
    }

    /** Gives leased memory back, once no transfer touches it any more. Idempotent. */
    @Override
    public void close() {
        leases.forEach(ArenaLease::close);
    }
}
