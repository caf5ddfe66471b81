package io.nixlkv.plugin.sample;

import io.nixlkv.spi.BackendReport;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** An open store, shared by its lanes. Thread-safe: changes hold its monitor, so that the capacity is never exceeded. */
final class SampleBackend implements StorageBackend {
    private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final long capacity;
    private long used;
    private volatile boolean closed;

    SampleBackend(long capacity) {
        this.capacity = capacity;
    }

    boolean isClosed() {
        return closed;
    }

    /** The object's bytes, never changed once they are here; null if there is no such object. */
    byte[] get(String name) {
        return objects.get(name);
    }

    /** Makes the whole object visible at once, or not at all. */
    synchronized Status put(String name, byte[] bytes, boolean replace) {
        byte[] old = objects.get(name);
        if (old != null && !replace) {
            return old.length == bytes.length ? Status.ALREADY_PRESENT : Status.WRONG_SIZE;
        }
        long after = used + bytes.length - (old == null ? 0 : old.length);
        if (after > capacity) {
            return Status.NO_SPACE;
        }
        objects.put(name, bytes);
        used = after;
        return Status.DONE;
    }

    synchronized Status remove(String name) {
        byte[] old = objects.remove(name);
        used -= old == null ? 0 : old.length;
        return old == null ? Status.MISSING : Status.DONE;
    }

    @Override
    public Lane openLane() {
        if (closed) {
            throw new StorageException(Status.UNAVAILABLE, "SAMPLE_MEMORY is closed; open it again");
        }
        return new SampleLane(this);
    }

    @Override
    public void list(int root, String prefix, long deadline, ObjectVisitor visitor) {
        for (Map.Entry<String, byte[]> object : objects.tailMap(prefix).entrySet()) {
            if (System.nanoTime() - deadline > 0) {
                throw new StorageException(Status.TIMED_OUT, "listing SAMPLE_MEMORY took longer than its deadline");
            }
            boolean more =
                    object.getKey().startsWith(prefix) && visitor.visit(object.getKey(), object.getValue().length, 0);
            if (!more) {
                return;
            }
        }
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        throw new StorageException(Status.UNSUPPORTED, "SAMPLE_MEMORY has no static pools; use mode dynamic");
    }

    @Override
    public synchronized BackendReport report() {
        return new BackendReport(
                Map.of("capacity", Long.toString(capacity)), Map.of("objects", (long) objects.size(), "bytes", used));
    }

    @Override
    public boolean drain(long deadline) {
        return true; // a lane works in its caller's thread only: nothing runs once they have returned
    }

    @Override
    public void close() {
        closed = true;
    }
}
