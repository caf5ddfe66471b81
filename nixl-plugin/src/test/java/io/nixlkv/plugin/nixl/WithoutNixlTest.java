package io.nixlkv.plugin.nixl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.ParameterValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WithoutNixlTest {
    @Test
    void whatIsMissingIsSaidWithHowToInstallIt(@TempDir Path empty) {
        NixlStrategy strategy = new NixlStrategy();
        String before = System.getProperty(NixlSearch.PROPERTY);
        System.setProperty(NixlSearch.PROPERTY, empty.toString());
        try {
            assumeTrue(NixlSearch.run().installation().isEmpty(), "this machine has NIXL where it is always found");
            List<EngineOffer> offers =
                    strategy.probe(ParameterValues.of(strategy.info().parameters(), Map.of()));
            assertEquals(1, offers.size());
            String reason = offers.get(0).unavailable().orElseThrow();
            String missing = NativeIo.unavailableReason().orElse("pip install nixl-cu12");
            assertTrue(reason.contains(missing), reason);
            assertEquals(Optional.empty(), strategy.adopt("POSIX"));
        } finally {
            if (before == null) {
                System.clearProperty(NixlSearch.PROPERTY);
            } else {
                System.setProperty(NixlSearch.PROPERTY, before);
            }
        }
    }
}
