package io.nixlkv.host.hicache;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.SlicedPool;
import io.nixlkv.spi.Status;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects of one transfer of pages, and the memory they are transferred from or into. It keeps its pool's registration, and its
 * bounce memory, until it is closed. For one thread.
 */
public final class StorageRegistration implements AutoCloseable {
    private final HostRegistration host;
    private final int[] pages;
    private final int from;
    private final int count;
    private final List<BounceSlots.Slot> slots;
    private final boolean[] stuck;
    private final List<KvObject> objects = new ArrayList<>();
    private boolean closed;

    StorageRegistration(
            HostRegistration host,
            List<String> hashes,
            int[] pages,
            int from,
            int count,
            List<BounceSlots.Slot> slots) {
        this.host = host;
        this.pages = pages;
        this.from = from;
        this.count = count;
        this.slots = slots;
        stuck = new boolean[count];
        for (int i = 0; i < count; i++) {
            List<PageKey> keys = host.keys(hashes.get(from + i));
            for (int part = 0; part < keys.size(); part++) {
                objects.add(new KvObject(keys.get(part), memory(i, part)));
            }
        }
    }

    private KvSlice memory(int index, int part) {
        return host.zeroCopy()
                ? ((SlicedPool) host.pool()).slice(pages[from + index], part)
                : slots.get(index).slice();
    }

    /** Number of pages. */
    public int pageCount() {
        return count;
    }

    /** The pages' objects in order, a page's objects beside each other. */
    public List<KvObject> objects() {
        return List.copyOf(objects);
    }

    void copyOut() {
        for (int i = 0; i < slots.size(); i++) {
            host.pool().copyOut(pages[from + i], slots.get(i).buffer());
        }
    }

    /** Copies loaded pages into the pool. */
    void copyIn(List<ObjectResult> pageResults) {
        for (int i = 0; i < slots.size(); i++) {
            if (pageResults.get(i).ok()) {
                host.pool().copyIn(pages[from + i], slots.get(i).buffer());
            }
        }
    }

    /** The results of its pages from those of its objects. */
    List<ObjectResult> pageResults(BatchResult results) {
        List<ObjectResult> perPage = PageResults.perPage(results.results(), objects.size() / count);
        for (int i = 0; i < count; i++) {
            stuck[i] = perPage.get(i).status() == Status.TIMED_OUT;
        }
        return perPage;
    }

    /** Gives bounce memory back, except what a transfer that timed out may still touch. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (int i = 0; i < slots.size(); i++) {
            slots.get(i).giveBack(stuck[i]);
        }
        host.end();
    }
}
