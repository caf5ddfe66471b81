package io.nixlkv.plugin.support.file;

import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.Map;

/** What moves the bytes of a file backend. Thread-safe. */
interface FileEngine extends AutoCloseable {
    /** @throws StorageException if the lane cannot be opened */
    Lane openLane(FileBackend backend);

    /** Whether it has pools of a layout. */
    default boolean offers(PoolLayout layout) {
        return true;
    }

    /** Whether native code keeps a file for each slot open, so that pure Java need not. */
    default boolean keepsSlotFiles() {
        return false;
    }

    /**
     * Makes the slots of an open pool reachable for native code.
     *
     * @param files the pool's file under every root; or, root by root, the file of every slot
     * @return the number for {@link io.nixlkv.spi.SlotPool#handle()}; 0 where there is none
     * @throws StorageException if it cannot
     */
    long openPool(PoolForm form, List<PoolFile> files);

    /** Nothing happens for 0 and for an unknown number. */
    void closePool(long handle);

    /** Keeps what Java staged until its token is spent; the token. */
    long stage(Staged object);

    /** Spends a token that STAGE answered with; {@code null} if there is no such token. */
    Staged takeStaged(long token);

    /** For {@code status}. */
    Map<String, String> facts();

    /** For {@code status} and metrics, beside those of the backend. */
    default Map<String, Long> counters() {
        return Map.of();
    }

    /** Starts nothing new; what is staged stays until {@link #close}. */
    void stop();

    /** Forgets what is staged and lets everything go. */
    @Override
    void close();
}
