package io.nixlkv.plugin.sample;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectName;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;

/** Serves batches item by item in the thread that calls, so that nothing touches a slice after {@link #execute} returned. */
final class SampleLane implements Lane {
    private final SampleBackend backend;

    SampleLane(SampleBackend backend) {
        this.backend = backend;
    }

    /** Ends every item, each on its own: a bad one never fails its neighbours. */
    @Override
    public void execute(TransferBatch batch) {
        for (int item = 0; item < batch.size(); item++) {
            String name = batch.name(item);
            if (backend.isClosed()) {
                batch.fail(item, Status.UNAVAILABLE, 0, "the store is closed");
            } else if (System.nanoTime() - batch.deadline() > 0) {
                batch.fail(item, Status.TIMED_OUT, 0, "the deadline passed before the item was begun");
            } else if (!ObjectName.valid(name, SampleMemory.CAPABILITIES.maxNameBytes())) {
                batch.fail(item, Status.INVALID, 0, "the name is not a relative path or is too long");
            } else {
                switch (batch.op()) {
                    case WRITE -> write(batch, item, name);
                    case READ -> read(batch, item, name);
                    case QUERY -> query(batch, item, name);
                    case DELETE -> batch.complete(item, backend.remove(name), -1);
                    case STAGE, PUBLISH, DISCARD ->
                        batch.fail(item, Status.UNSUPPORTED, 0, "SAMPLE_MEMORY does not stage objects");
                }
            }
        }
    }

    private void write(TransferBatch batch, int item, String name) {
        if (batch.durable()) {
            batch.fail(item, Status.UNSUPPORTED, 0, "memory is not stable storage; set sync to false");
            return;
        }
        if (batch.length(item) == 0) {
            batch.fail(item, Status.INVALID, 0, "an object has at least one byte");
            return;
        }
        byte[] bytes = new byte[batch.length(item)];
        batch.slice(item).get(bytes);
        Status status = backend.put(name, bytes, batch.mode() == Mode.REPLACE);
        if (status == Status.NO_SPACE) {
            batch.fail(item, status, 0, "the store is full; raise capacity or delete objects");
        } else {
            batch.complete(item, status, -1);
        }
    }

    private void read(TransferBatch batch, int item, String name) {
        byte[] bytes = backend.get(name);
        if (bytes == null) {
            batch.complete(item, Status.MISSING, -1);
        } else if (bytes.length != batch.length(item)) {
            batch.complete(item, Status.WRONG_SIZE, bytes.length);
        } else {
            batch.slice(item).put(bytes);
            batch.complete(item, Status.DONE, bytes.length);
        }
    }

    private void query(TransferBatch batch, int item, String name) {
        byte[] bytes = backend.get(name);
        batch.complete(item, bytes == null ? Status.MISSING : Status.DONE, bytes == null ? -1 : bytes.length);
    }

    @Override
    public void close() {
        // The objects are the backend's; a lane owns nothing.
    }
}
