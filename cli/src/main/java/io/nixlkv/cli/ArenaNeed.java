package io.nixlkv.cli;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.spi.Capabilities;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * How much transfer memory a command needs. Short-lived commands size the arena to their work instead of taking {@code
 * store.arena_gb}, which is meant for a host that lives.
 */
final class ArenaNeed {
    /** What a command without values takes. */
    static final long SMALL = 1L << 20;

    private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);

    private ArenaNeed() {}

    /**
     * {@code config} with an arena that holds {@code count} objects of {@code bytes} at once, and a slot of a static pool, in host
     * memory: a command has no use for that of a GPU.
     */
    static HostConfig sized(HostConfig config, long count, long bytes) {
        StoreSettings settings = config.store();
        long slot = settings.poolSize() > 0 ? total(settings, 1, config.modes().slotBytes()) : 0;
        long needed = Math.max(Math.max(SMALL, slot), total(settings, count, bytes));
        HostConfig sized = config.withCall("store.arena_gb", gibText(needed));
        return config.store().gpu().isPresent() ? sized.withCall("store.buffer_device", "cpu") : sized;
    }

    /** Bytes that one object of {@code bytes} takes in the arena. */
    static long leased(StoreSettings settings, long bytes) {
        long unit = Math.max(1, settings.l1AlignBytes());
        return Math.min(roundUp(bytes, unit), Capabilities.MAX_OBJECT_BYTES);
    }

    /** No object crosses a segment, and a segment has at most 1 GiB: what is left at its end is lost. */
    private static long total(StoreSettings settings, long count, long bytes) {
        long one = roundUp(leased(settings, bytes), Math.max(4096, settings.arenaAlign()));
        long each = Math.max(1, Capabilities.MAX_OBJECT_BYTES / one);
        long full = (count - 1) / each;
        return Math.addExact(Math.multiplyExact(full, Capabilities.MAX_OBJECT_BYTES), (count - full * each) * one);
    }

    static String gibText(long bytes) {
        return BigDecimal.valueOf(bytes)
                .divide(GIB, 18, RoundingMode.CEILING)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static long roundUp(long bytes, long unit) {
        return (bytes + unit - 1) / unit * unit;
    }
}
