package io.nixlkv.host.capacity;

import io.nixlkv.api.KeyVisitor;

/** Visits every object of a store, for as long as it takes. */
@FunctionalInterface
public interface Census {
    /** @throws io.nixlkv.spi.StorageException if the store cannot be listed */
    void run(KeyVisitor visitor);
}
