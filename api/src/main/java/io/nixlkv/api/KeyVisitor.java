package io.nixlkv.api;

/** Receives the objects of a listing. */
@FunctionalInterface
public interface KeyVisitor {
    /**
     * @param key the object's key
     * @param length stored bytes
     * @param lastUseMillis last known use, milliseconds since the epoch; 0 where the store does not tell
     * @return false to end the listing
     */
    boolean visit(KvKey key, long length, long lastUseMillis);
}
