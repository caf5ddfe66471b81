package io.nixlkv.host.pool;

/** Receives the contents of a pool. */
@FunctionalInterface
public interface SlotVisitor {
    /**
     * @param name UTF-8
     * @param length stored bytes
     * @param lastUseMillis milliseconds since the epoch
     * @return false to end
     */
    boolean visit(String name, int length, long lastUseMillis);
}
