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
 */
public record EngineOffer(String engine, Set<Segment> segments, Capabilities can, Optional<String> unavailable) {
    public EngineOffer {
        segments = Set.copyOf(segments);
    }

    /** A usable engine. */
    public static EngineOffer usable(String engine, Set<Segment> segments, Capabilities can) {
        return new EngineOffer(engine, segments, can, Optional.empty());
    }

    /** The same engine, unusable for {@code reason}. */
    public EngineOffer because(String reason) {
        return new EngineOffer(engine, segments, can, Optional.of(reason));
    }
}
