package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;

/** Turns keys into names, leaves out what is not an object, and ends a listing at its deadline. Used by one thread. */
final class Listing implements ObjectVisitor {
    private final String prefix;
    private final long deadline;
    private final ObjectVisitor visitor;

    Listing(String prefix, long deadline, ObjectVisitor visitor) {
        this.prefix = prefix;
        this.deadline = deadline;
        this.visitor = visitor;
    }

    void check() {
        if (deadline - System.nanoTime() <= 0) {
            throw new StorageException(Status.TIMED_OUT, "the deadline passed before the listing was complete");
        }
    }

    @Override
    public boolean visit(String key, long length, long lastUseMillis) {
        check();
        String name = key.substring(prefix.length());
        // Zero-length objects are folder marks of consoles and absent to readers.
        if (length == 0 || name.isEmpty() || name.startsWith(KeyRules.RESERVED)) {
            return true;
        }
        return visitor.visit(name, length, lastUseMillis);
    }
}
