package io.nixlkv.host.discovery;

import static io.nixlkv.spi.Segment.BLK_SEG;
import static io.nixlkv.spi.Segment.DRAM_SEG;
import static io.nixlkv.spi.Segment.FILE_SEG;
import static io.nixlkv.spi.Segment.OBJ_SEG;
import static io.nixlkv.spi.Segment.VRAM_SEG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Segment;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CapabilityGateTest {

    @Test
    void acceptsMemoryAndFiles() {
        assertEquals(
                new Verdict(true, "DRAM_SEG and FILE_SEG", Optional.of(StorageKind.FILE)), judge(DRAM_SEG, FILE_SEG));
    }

    @Test
    void acceptsMemoryAndObjects() {
        assertEquals(
                new Verdict(true, "DRAM_SEG and OBJ_SEG", Optional.of(StorageKind.OBJECT)), judge(OBJ_SEG, DRAM_SEG));
    }

    @Test
    void furtherSegmentsDoNoHarm() {
        assertEquals(
                new Verdict(true, "DRAM_SEG and FILE_SEG", Optional.of(StorageKind.FILE)),
                judge(VRAM_SEG, BLK_SEG, FILE_SEG, DRAM_SEG));
    }

    @Test
    void refusesAnEngineWithoutStorage() {
        assertEquals(
                new Verdict(
                        false,
                        "offers neither FILE_SEG nor OBJ_SEG (its segments: DRAM_SEG, VRAM_SEG)",
                        Optional.empty()),
                judge(VRAM_SEG, DRAM_SEG));
    }

    @Test
    void refusesAnEngineWithBothKinds() {
        assertEquals(
                new Verdict(
                        false,
                        "offers both FILE_SEG and OBJ_SEG, where exactly one is allowed"
                                + " (its segments: DRAM_SEG, OBJ_SEG, FILE_SEG)",
                        Optional.empty()),
                judge(DRAM_SEG, FILE_SEG, OBJ_SEG));
    }

    @Test
    void refusesAnEngineWithoutHostMemory() {
        assertEquals(
                new Verdict(false, "does not offer DRAM_SEG (its segments: VRAM_SEG, FILE_SEG)", Optional.empty()),
                judge(VRAM_SEG, FILE_SEG));
    }

    @Test
    void namesEveryFaultOfAnEmptyOffer() {
        assertEquals(
                new Verdict(
                        false,
                        "does not offer DRAM_SEG and offers neither FILE_SEG nor OBJ_SEG (its segments: none)",
                        Optional.empty()),
                judge());
    }

    @Test
    void availabilityIsNotItsBusiness() {
        EngineOffer offer = EngineOffer.usable(
                        "nixl", Set.of(DRAM_SEG, OBJ_SEG), new Capabilities(Set.of(), 1, 1, 1, 1))
                .because("libnixl.so is absent");
        assertEquals(
                Optional.of(StorageKind.OBJECT), CapabilityGate.judge(offer).kind());
    }

    private static Verdict judge(Segment... segments) {
        return CapabilityGate.judge(
                EngineOffer.usable("engine", Set.of(segments), new Capabilities(Set.of(), 1, 1, 1, 1)));
    }
}
