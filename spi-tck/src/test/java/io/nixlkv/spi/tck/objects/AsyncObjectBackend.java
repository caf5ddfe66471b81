package io.nixlkv.spi.tck.objects;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The client is shared by all lanes, as an SDK's would be. */
final class AsyncObjectBackend implements StorageBackend {
    private final Capabilities can;
    private final FakeObjectServer server;
    private volatile boolean closed;

    AsyncObjectBackend(Capabilities can, FakeObjectServer server) {
        this.can = can;
        this.server = server;
    }

    Capabilities can() {
        return can;
    }

    FakeObjectServer server() {
        return server;
    }

    boolean closed() {
        return closed;
    }

    @Override
    public Lane openLane() {
        if (closed) {
            throw new StorageException(Status.UNAVAILABLE, "the object store is closed");
        }
        return new AsyncObjectLane(this);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        throw new StorageException(Status.UNSUPPORTED, "ASYNC_OBJECTS has no pools");
    }

    @Override
    public void list(int root, String prefix, long deadline, ObjectVisitor visitor) {
        if (!can.has(Feature.LIST)) {
            throw new StorageException(Status.UNSUPPORTED, "this engine cannot list");
        }
        for (Map.Entry<String, byte[]> object : server.objects().entrySet()) {
            if (System.nanoTime() - deadline > 0) {
                throw new StorageException(Status.TIMED_OUT, "listing took too long");
            }
            if (object.getKey().startsWith(prefix) && !visitor.visit(object.getKey(), object.getValue().length, 0)) {
                return;
            }
        }
    }

    @Override
    public boolean drain(long deadline) {
        return server.shutdown(deadline);
    }

    @Override
    public void close() {
        closed = true;
        server.shutdown(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    }
}
