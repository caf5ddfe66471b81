package io.nixlkv.plugin.docamemos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.StorageStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocaMemosStrategyTest {
    @TempDir
    Path system;

    private String unavailable(String... pairs) {
        DocaMemosStrategy strategy = new DocaMemosStrategy(new HugePages(system));
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            given.put(pairs[i], pairs[i + 1]);
        }
        return strategy.probe(ParameterValues.of(strategy.info().parameters(), given))
                .get(0)
                .unavailable()
                .orElse("");
    }

    private void free(String size, String count) throws IOException {
        Path folder = Files.createDirectories(system.resolve("hugepages-" + size));
        Files.writeString(folder.resolve("free_hugepages"), count + "\n");
    }

    @Test
    void isFoundByTheServiceLoader() {
        assertTrue(ServiceLoader.load(StorageStrategy.class).stream()
                .anyMatch(found -> found.get().info().name().equals("DOCA_MEMOS")));
    }

    @Test
    void theDeviceIsRequired() {
        assertTrue(unavailable().startsWith("device_name is required"), unavailable());
    }

    @ParameterizedTest
    @CsvSource({"num_tasks, 0", "num_tasks, 4294967296", "query_mem_mode, guess", "min_free_hugepages, -1"})
    void valuesOutOfRangeAreRefused(String key, String value) {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> unavailable(key, value))
                .getMessage()
                .contains(key));
    }

    @Test
    void theNamespaceHas32Digits() {
        String reason = unavailable("device_name", "/dev/none", "nguid", "12");
        assertTrue(reason.contains("nguid must be 32 hexadecimal digits"), reason);
    }

    @Test
    void missingPagesAndAMissingLibraryAreToldTogether() throws IOException {
        System.setProperty("nixlkv.nixl.home", system.toString());
        for (String state : new String[] {"none", "gigantic only", "too few"}) {
            if (state.equals("gigantic only")) {
                free("1048576kB", "8");
            }
            if (state.equals("too few")) {
                free("2048kB", "3");
            }
            String reason = unavailable("device_name", "/dev/nvme0n1", "min_free_hugepages", "4");
            String found = state.equals("too few") ? "found 3" : "found 0";
            assertTrue(reason.contains("it needs 4 free 2 MiB hugepages, " + found), reason);
            assertTrue(reason.contains("; and "), reason);
        }
        free("2048kB", "4");
        assertTrue(!unavailable("device_name", "/dev/nvme0n1", "min_free_hugepages", "4")
                .contains("hugepages, found"));
    }

    @Test
    @NeedsStandIn
    void withEverythingThereItIsAvailable() throws IOException {
        StandIn.named("sound").use();
        free("2048kB", "4");
        assertEquals("", unavailable("device_name", system.toString()));
    }
}
