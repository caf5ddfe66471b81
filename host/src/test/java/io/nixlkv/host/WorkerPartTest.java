package io.nixlkv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.ModeSettings;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkerPartTest {
    private static final StrategyInfo OBJECTS = new StrategyInfo(
            "OBJECTS",
            Set.of(),
            "Objects for tests.",
            10,
            List.of(
                    Parameter.of("bucket", Type.STRING).meaning("Bucket."),
                    Parameter.of("endpoint_override", Type.STRING)
                            .aliases("endpoint")
                            .meaning("Endpoint.")));

    private static final StrategyInfo FILES = new StrategyInfo(
            "FILES",
            Set.of(),
            "Files for tests.",
            10,
            List.of(
                    Parameter.of("file_path", Type.PATHS).meaning("Directories."),
                    Parameter.of("use_uring", Type.BOOLEAN).meaning("Ring.")));

    private static ModeSettings modes(String store) {
        return HostConfig.parse("[store]\n" + store, "test.toml", Map.of()).modes();
    }

    @Test
    void eachWorkerHasOneEndpointOfTheList() {
        StrategyConfig all =
                ParameterValues.of(OBJECTS.parameters(), Map.of("bucket", "b", "endpoint_override", "http://ignored"));
        String list = "endpoint_list = [\"https://n0:9021\", \"https://n1:9021\", \"http://n2\"]\nlocal_worker_id = ";
        StrategyConfig fourth = WorkerPart.of(all, OBJECTS, modes(list + 4));
        assertEquals("https://n1:9021", fourth.text("endpoint_override"));
        assertEquals("store.endpoint_list", fourth.origin("endpoint_override"));
        assertTrue(fourth.given("endpoint_override"));
        assertEquals("b", fourth.text("bucket"));
        assertEquals("http://n2", WorkerPart.of(all, OBJECTS, modes(list + 2)).text("endpoint_override"));
        assertEquals(
                "https://n0:9021", WorkerPart.of(all, OBJECTS, modes(list + 0)).text("endpoint_override"));
        assertSame(all, WorkerPart.of(all, OBJECTS, modes("")));
    }

    @Test
    void backendsWithoutAnEndpointIgnoreTheList() {
        StrategyConfig all = ParameterValues.of(FILES.parameters(), Map.of("file_path", "/a,/b"));
        assertTrue(WorkerPart.takesEndpoints(OBJECTS));
        assertFalse(WorkerPart.takesEndpoints(FILES));
        assertSame(all, WorkerPart.of(all, FILES, modes("endpoint_list = [\"https://n0\"]")));
    }

    @Test
    void byGpuLeavesOnePathOfTheList() {
        StrategyConfig all =
                ParameterValues.of(FILES.parameters(), Map.of("file_path", "/a,/b,/c", "use_uring", "true"));
        StrategyConfig part = WorkerPart.of(all, FILES, modes("path_sharding = \"by_gpu\"\ngpu_id = 5"));
        assertEquals(List.of("/c"), part.paths("file_path"));
        assertEquals("/c", part.text("file_path"));
        assertTrue(part.flag("use_uring"));
        assertEquals(List.of("/a", "/b", "/c"), all.paths("file_path"));
    }
}
