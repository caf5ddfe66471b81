package io.nixlkv.host.discovery;

import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rule every engine must meet: {@code DRAM_SEG} and exactly one of {@code FILE_SEG} and {@code OBJ_SEG}, compared as sets.
 * Further segments do no harm. Whether the engine is available is another question, answered by the offer itself.
 */
public final class CapabilityGate {
    private CapabilityGate() {}

    /** Judges the segments of {@code offer}. */
    public static Verdict judge(EngineOffer offer) {
        Set<Segment> segments = offer.segments();
        boolean files = segments.contains(Segment.FILE_SEG);
        boolean objects = segments.contains(Segment.OBJ_SEG);
        List<String> faults = new ArrayList<>();
        if (!segments.contains(Segment.DRAM_SEG)) {
            faults.add("does not offer DRAM_SEG");
        }
        if (!files && !objects) {
            faults.add("offers neither FILE_SEG nor OBJ_SEG");
        }
        if (files && objects) {
            faults.add("offers both FILE_SEG and OBJ_SEG, where exactly one is allowed");
        }
        if (!faults.isEmpty()) {
            return new Verdict(
                    false, String.join(" and ", faults) + " (its segments: " + text(segments) + ")", Optional.empty());
        }
        return files
                ? new Verdict(true, "DRAM_SEG and FILE_SEG", Optional.of(StorageKind.FILE))
                : new Verdict(true, "DRAM_SEG and OBJ_SEG", Optional.of(StorageKind.OBJECT));
    }

    private static String text(Set<Segment> segments) {
        return segments.isEmpty()
                ? "none"
                : segments.stream().sorted().map(Segment::name).collect(Collectors.joining(", "));
    }
}
