package io.nixlkv.spi;

/** Receives the objects of a listing. */
@FunctionalInterface
public interface ObjectVisitor {
    /**
     * @param name the object's name under its root
     * @param length stored bytes
     * @param lastUseMillis last known use, milliseconds since the epoch; 0 where the store does not tell
     * @return false to end the listing
     */
    boolean visit(String name, long length, long lastUseMillis);
}
