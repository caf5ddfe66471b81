package io.nixlkv.api;

import io.nixlkv.spi.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for a call of a store, which ends within its own deadline. */
final class Blocking {
    private Blocking() {}

    /** An interrupt of the waiting thread neither ends the wait nor touches the transfer; it stays pending for the caller. */
    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof StorageException misuse) {
                throw misuse;
            }
            throw failed;
        }
    }
}
