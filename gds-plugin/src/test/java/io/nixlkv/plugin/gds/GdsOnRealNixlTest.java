package io.nixlkv.plugin.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NixlInstallation;
import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.plugin.support.nixl.NixlCatalog;
import io.nixlkv.plugin.support.nixl.NixlPlugin;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.StorageStrategy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GDS and GDS_MT of the real NIXL with the real libraries of CUDA, on a machine that need not have a GPU. */
class GdsOnRealNixlTest {
    private static final List<StorageStrategy> STRATEGIES = List.of(new GdsStrategy(), new GdsMtStrategy());

    private final String before = System.getProperty(NixlSearch.PROPERTY);

    @BeforeEach
    void useRealNixl() {
        assumeTrue(NativeIo.isAvailable(), "no native library");
        String home = System.getenv()
                .getOrDefault(
                        "NIXL_HOME",
                        System.getenv()
                                        .getOrDefault(
                                                "PEERS_HOME", System.getProperty("user.home") + "/.cache/nixlkv-peers")
                                + "/nixl/.nixl_cu12.mesonpy.libs");
        System.setProperty(NixlSearch.PROPERTY, home);
        Optional<NixlInstallation> nixl = NixlSearch.run().installation();
        assumeTrue(
                nixl.isPresent() && nixl.get().companions().size() == 2,
                "no NIXL with CUDA's libraries beside it; benchmarks/peers install-nixl installs both");
    }

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(NixlSearch.PROPERTY);
        } else {
            System.setProperty(NixlSearch.PROPERTY, before);
        }
    }

    @Test
    void bothAreListedWithTheSegmentsTheyReport() {
        NixlCatalog catalog = NixlCatalog.get();
        for (StorageStrategy strategy : STRATEGIES) {
            NixlPlugin plugin = catalog.plugin(strategy.info().name()).orElseThrow();
            assertEquals(Optional.empty(), plugin.problem());
            assertEquals(Set.of(Segment.DRAM_SEG, Segment.VRAM_SEG, Segment.FILE_SEG), plugin.segments());
        }
    }

    @Test
    void withoutAGpuBothAreUnavailableForThatReasonAndNothingHangs(@TempDir Path folder) {
        assumeTrue(!Files.exists(Path.of("/dev/nvidiactl")), "this machine has a GPU");
        for (StorageStrategy strategy : STRATEGIES) {
            long start = System.nanoTime();
            EngineOffer offer = strategy.probe(
                            ParameterValues.of(strategy.info().parameters(), Map.of("file_path", folder.toString())))
                    .get(0);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertTrue(millis < 6000, millis + " ms");
            assertTrue(offer.lacking(), offer.toString());
            String reason = offer.unavailable().orElseThrow();
            assertTrue(reason.contains("this machine has no NVIDIA GPU"), reason);
        }
    }
}
