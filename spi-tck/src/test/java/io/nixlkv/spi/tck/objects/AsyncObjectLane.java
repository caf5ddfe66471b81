package io.nixlkv.spi.tck.objects;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectName;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Starts every item, waits for the answers until the deadline, then cuts off what is late before it returns. */
final class AsyncObjectLane implements Lane {
    private final AsyncObjectBackend backend;

    AsyncObjectLane(AsyncObjectBackend backend) {
        this.backend = backend;
    }

    @Override
    public void execute(TransferBatch batch) {
        CountDownLatch open = new CountDownLatch(batch.size());
        List<Exchange> exchanges = new ArrayList<>(batch.size());
        for (int item = 0; item < batch.size(); item++) {
            Status refused = refused(batch, item);
            if (refused != null) {
                batch.fail(item, refused, 0, "refused before it was sent");
                open.countDown();
            } else {
                Exchange exchange = new Exchange(batch, item, open);
                exchanges.add(exchange);
                start(batch.op(), batch.name(item), exchange, batch.mode());
            }
        }
        if (!await(open, batch.deadline())) {
            exchanges.forEach(Exchange::fence);
        }
    }

    private Status refused(TransferBatch batch, int item) {
        boolean moves = batch.op() == Op.WRITE || batch.op() == Op.READ;
        if (backend.closed()) {
            return Status.UNAVAILABLE;
        }
        if (!supported(batch)) {
            return Status.UNSUPPORTED;
        }
        boolean named = ObjectName.valid(batch.name(item), backend.can().maxNameBytes());
        return named && (!moves || batch.length(item) > 0) ? null : Status.INVALID;
    }

    private boolean supported(TransferBatch batch) {
        return switch (batch.op()) {
            case WRITE ->
                !batch.durable() && backend.can().has(batch.mode() == Mode.CREATE ? Feature.CREATE : Feature.REPLACE);
            case READ, QUERY -> true;
            case DELETE -> backend.can().has(Feature.DELETE);
            case STAGE, PUBLISH, DISCARD -> false;
        };
    }

    private void start(Op op, String name, Exchange exchange, Mode mode) {
        FakeObjectServer server = backend.server();
        switch (op) {
            case WRITE -> server.put(name, exchange, mode == Mode.CREATE);
            case READ -> server.get(name, exchange, backend.can().has(Feature.DETECTS_SHORT));
            case QUERY -> server.head(name, exchange, backend.can().has(Feature.STORED_LENGTH));
            case DELETE -> server.delete(name, exchange);
            case STAGE, PUBLISH, DISCARD -> throw new IllegalArgumentException("not supported: " + op);
        }
    }

    /** An interrupt of the caller ends the wait like a deadline, and stays set. */
    private static boolean await(CountDownLatch open, long deadline) {
        try {
            return open.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        // The client is the backend's.
    }
}
