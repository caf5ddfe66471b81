package io.nixlkv.spi;

import java.util.HashSet;
import java.util.Set;

/**
 * What one engine can do for one configuration.
 *
 * @param features what it supports; whatever is absent is answered with {@link Status#UNSUPPORTED}, never tried blindly
 * @param alignment bytes to which address and length must be aligned for direct I/O; 1 where there is none
 * @param maxObjectBytes longest object, bytes, at most 1 GiB
 * @param maxNameBytes longest object name, UTF-8 bytes, with all its parts
 * @param maxBatch most items of one batch; the host cuts, a lane never sees more
 */
public record Capabilities(Set<Feature> features, int alignment, long maxObjectBytes, int maxNameBytes, int maxBatch) {

    /** Upper limit of every engine, bytes: a slice cannot be longer than an arena segment. */
    public static final long MAX_OBJECT_BYTES = 1L << 30;

    /** @throws IllegalArgumentException if a limit is out of range */
    public Capabilities {
        features = Set.copyOf(features);
        if (Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("alignment must be a power of two: " + alignment);
        }
        if (maxObjectBytes < 1 || maxObjectBytes > MAX_OBJECT_BYTES) {
            throw new IllegalArgumentException("maxObjectBytes must be in 1..2^30: " + maxObjectBytes);
        }
        if (maxNameBytes < 1 || maxBatch < 1) {
            throw new IllegalArgumentException("maxNameBytes and maxBatch must be positive");
        }
    }

    /** The same without one feature. */
    public Capabilities without(Feature feature) {
        Set<Feature> fewer = new HashSet<>(features);
        fewer.remove(feature);
        return new Capabilities(fewer, alignment, maxObjectBytes, maxNameBytes, maxBatch);
    }

    /** Whether the engine supports {@code feature}. */
    public boolean has(Feature feature) {
        return features.contains(feature);
    }
}
