package io.nixlkv.host.hicache;

import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.PageObjects;
import io.nixlkv.api.hicache.SlicedPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;

/**
 * What the objects of a pool's pages are called.
 *
 * @param objects of this rank of this model
 * @param sidePool empty for the KV pool
 * @param parts objects of a page
 */
record PoolNames(PageObjects objects, String sidePool, int parts) {

    static PoolNames kv(PageObjects objects) {
        return new PoolNames(objects, "", objects.zeroCopy() && !objects.mla() ? 2 : 1);
    }

    static PoolNames side(PageObjects objects, String name, HostPool pool) {
        return new PoolNames(objects, name, objects.zeroCopy() ? ((SlicedPool) pool).parts() : 1);
    }

    boolean zeroCopy() {
        return objects.zeroCopy();
    }

    /** Whether ranks share the objects. */
    boolean isShared() {
        return sidePool.isEmpty() ? objects.mla() : objects.isShared(sidePool);
    }

    /** @throws StorageException INVALID if it is not a page hash */
    List<PageKey> of(String hash) {
        try {
            return sidePool.isEmpty() ? objects.ofKv(hash) : objects.ofSidePool(hash, sidePool, parts);
        } catch (IllegalArgumentException wrong) {
            throw new StorageException(Status.INVALID, "page \"" + hash + "\": " + wrong.getMessage(), wrong);
        }
    }

    @Override
    public String toString() {
        return sidePool.isEmpty() ? "kv" : sidePool;
    }
}
