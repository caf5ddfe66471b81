package io.nixlkv.plugin.support.nixl;

import io.nixlkv.spi.Segment;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A native plugin as it describes itself.
 *
 * @param name NIXL's name
 * @param segments what it serves; empty if it cannot be loaded
 * @param options parameters it tells of, with their defaults; many plugins tell of none
 * @param problem why it cannot be used; empty if nothing is known against it
 */
public record NixlPlugin(String name, Set<Segment> segments, Map<String, String> options, Optional<String> problem) {
    public NixlPlugin {
        segments = Set.copyOf(segments);
        options = Map.copyOf(options);
    }

    static NixlPlugin unusable(String name, String problem) {
        return new NixlPlugin(name, Set.of(), Map.of(), Optional.of(problem));
    }
}
