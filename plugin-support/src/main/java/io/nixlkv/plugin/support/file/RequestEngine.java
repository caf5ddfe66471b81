package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.RequestLane;
import io.nixlkv.spi.TransferBatch;
import java.util.Map;

/** A library that moves the bytes of files for a file backend, request by request. Thread-safe. */
public interface RequestEngine {
    /** Its name for people. */
    String describe();

    /**
     * Opens a lane, owned by the caller.
     *
     * @throws io.nixlkv.spi.StorageException if it cannot be opened
     */
    RequestLane openLane();

    /** A batch as pure Java can carry it out, whatever memory its slices are. */
    default TransferBatch forJava(TransferBatch batch) {
        return batch;
    }

    /** Whether it may call a short or failed read a success: a mark at the end of each slice tells then. */
    boolean silent();

    /** Adds the numbers of one carried-out request. */
    void count(long posted, long repeated, long renewed);

    /** Counts an item that it failed on, also when it was alone. */
    void refused();

    /** For {@code status}. */
    Map<String, String> facts();

    /** For {@code status} and metrics. */
    Map<String, Long> counters();
}
