package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.regex.Pattern;

/**
 * What a pool is to be under every root.
 *
 * @param count slots, at least 1
 * @param slotBytes bytes of a slot, at least 1
 */
record PoolForm(String name, int count, int slotBytes, PoolLayout layout) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

    /** @throws StorageException INVALID if it is no pool */
    PoolForm {
        if (!NAME.matcher(name).matches()) {
            throw new StorageException(
                    Status.INVALID, "a pool name has letters, digits, - and _, not " + Evidence.quoted(name));
        }
        if (count < 1 || slotBytes < 1) {
            throw new StorageException(
                    Status.INVALID,
                    "pool " + name + " needs at least one slot of one byte, not " + count + " of " + slotBytes);
        }
    }

    /** Whether each slot is a file. */
    boolean separate() {
        return layout == PoolLayout.FILES;
    }

    /** Where a slot begins in its file. */
    long position(int slot) {
        return separate() ? 0 : (long) slot * slotBytes;
    }

    /** What the lock file says of it. */
    String geometry() {
        return count + " " + slotBytes;
    }
}
