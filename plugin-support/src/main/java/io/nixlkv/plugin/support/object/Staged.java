package io.nixlkv.plugin.support.object;

import java.util.List;

/**
 * An object that was uploaded but is not visible yet.
 *
 * @param name its key, prefix included
 * @param length bytes
 * @param upload what the store calls the upload
 * @param parts what the store calls its parts, in order
 */
public record Staged(String name, long length, String upload, List<String> parts) {
    /** Copies the list. */
    public Staged {
        parts = List.copyOf(parts);
    }
}
