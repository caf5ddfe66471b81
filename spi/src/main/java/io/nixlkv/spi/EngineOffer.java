package io.nixlkv.spi;

import java.util.Optional;
import java.util.Set;

/**
 * One engine that could serve a configuration. The host's capability gate judges this record: {@code DRAM_SEG} plus exactly
 * one of {@code FILE_SEG} and {@code OBJ_SEG}.
 *
 * @param engine name of the engine, lower case, such as {@code nio}
 * @param segments NIXL segments it serves
 * @param can its capabilities
 * @param unavailable empty when usable; else the reason, as a sentence a person can act on
 * @param lacking whether the reason is something that this machine lacks, such as a library or a device, and not a wrong value
 */
public record EngineOffer(
        String engine, Set<Segment> segments, Capabilities can, Optional<String> unavailable, boolean lacking) {
    public EngineOffer {
        segments = Set.copyOf(segments);
        if (lacking && unavailable.isEmpty()) {
            throw new IllegalArgumentException("engine " + engine + " lacks something, and does not say what");
        }
    }

    /** An engine that is usable, or not for a reason that is in the configuration. */
    public EngineOffer(String engine, Set<Segment> segments, Capabilities can, Optional<String> unavailable) {
        this(engine, segments, can, unavailable, false);
    }

    /** A usable engine. */
    public static EngineOffer usable(String engine, Set<Segment> segments, Capabilities can) {
        return new EngineOffer(engine, segments, can, Optional.empty());
    }

    /** The same engine, unusable for {@code reason}. */
    public EngineOffer because(String reason) {
        return new EngineOffer(engine, segments, can, Optional.of(reason), false);
    }

    /** The same engine; unusable for what the machine lacks, if it lacks something and nothing else spoke against it before. */
    public EngineOffer without(Optional<String> lack) {
        return unavailable.isPresent() || lack.isEmpty() ? this : new EngineOffer(engine, segments, can, lack, true);
    }
}
