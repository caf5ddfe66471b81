package io.nixlkv.host.layout;

import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;

/** Makes the layout of a store. */
public final class Layouts {
    private Layouts() {}

    /**
     * The layout that {@code settings} ask for.
     *
     * @throws StorageException with status UNSUPPORTED if this version does not have it
     */
    public static Layout of(StoreSettings settings) {
        return switch (settings.layout()) {
            case LmcacheLayout.ID -> new LmcacheLayout(settings.nameForm(), settings.shardDirs());
            case RawLayout.ID -> new RawLayout();
            default ->
                throw new StorageException(
                        Status.UNSUPPORTED,
                        "layout " + settings.layout() + " is not supported yet; use lmcache or raw");
        };
    }
}
