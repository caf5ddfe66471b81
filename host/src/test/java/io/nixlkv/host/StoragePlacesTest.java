package io.nixlkv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoragePlacesTest {
    private static final List<FoundStrategy> FOUND = List.of(
            found("DISK", 30, Parameter.of("file_path", Type.PATHS).defaultValue("/default")),
            found("BUCKET", 20, Parameter.of("depth", Type.INTEGER).range(1, 9).defaultValue("1")),
            found("REMOTE", 0, Parameter.of("endpoint", Type.STRING)),
            found("LOCKED", 0, Parameter.of("token", Type.STRING).secret()),
            found("NAMED", 0, Parameter.of("mount", Type.PATHS)));

    private static FoundStrategy found(String name, int rank, Parameter.Builder parameter) {
        StrategyInfo info = new StrategyInfo(
                name, Set.of("HF" + name), "For tests.", rank, List.of(parameter.meaning("For tests.")));
        return new FoundStrategy(null, info, "test.jar", "1.0");
    }

    private static String of(String toml, Map<String, String> environment) {
        return StoragePlaces.of(HostConfig.parse(toml, "c.toml", environment), FOUND);
    }

    @Test
    void chosenStorageIsNamedWithItsPlaces() {
        assertEquals(
                "the storage of c.toml, DISK (/a, /b),",
                of(
                        "[plugin.hfdisk]\nactive = true\nfile_path = [\"/a\", \"/b\"]\n[plugin.bucket]\ndepth = 2",
                        Map.of()));
        assertEquals(
                "the storage of c.toml, NAMED (/m),", of("[plugin.named]\nactive = true\nmount = \"/m\"", Map.of()));
        assertEquals("the storage of c.toml, BUCKET,", of("", Map.of("SGLANG_HICACHE_NIXL_BACKEND_PLUGIN", "bucket")));
    }

    @Test
    void storageWithoutDirectoriesIsNamedByWhatWasGivenToIt() {
        assertEquals(
                "the storage of c.toml, REMOTE (endpoint = http://***@host:9000),",
                of("[plugin.remote]\nactive = true\nendpoint = \"http://me:pw@host:9000\"", Map.of()));
        assertEquals(
                "the storage of c.toml, LOCKED,", of("[plugin.locked]\nactive = true\ntoken = \"s3cret\"", Map.of()));
    }

    @Test
    void withoutAChoiceEveryCandidateIsNamed() {
        assertEquals("the storage of c.toml, DISK (/default), BUCKET,", of("", Map.of()));
    }

    @Test
    void whatIsWrongOrUnknownIsLeftToTheSelection() {
        assertEquals("the storage of c.toml, BUCKET,", of("[plugin.bucket]\nactive = true\ndepth = 77", Map.of()));
        assertEquals("the storage of c.toml", of("[plugin.nothing]\nactive = true", Map.of()));
    }
}
