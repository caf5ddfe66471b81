package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.FileTransfers.Kind;
import java.util.Locale;

/**
 * How a native engine is opened. Immutable.
 *
 * @param kind which one
 * @param submitters most threads that work for engine {@code threads} while fewer lanes are busy, at least 1
 * @param queueDepth most requests in flight in a lane of the other engines, at least 1
 */
public record NativeSettings(Kind kind, int submitters, int queueDepth) {
    public NativeSettings {
        if (submitters < 1 || queueDepth < 1) {
            throw new IllegalArgumentException("submitters and queue depth must be positive");
        }
    }

    /** The engine's name. */
    public String engine() {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
