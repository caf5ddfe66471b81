package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectServicesTest {
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "AWS_ACCESS_KEY_ID", "key-of-the-test",
            "AWS_SECRET_ACCESS_KEY", "secret-of-the-test",
            "AZURE_STORAGE_CONNECTION_STRING", "AccountName=kv;AccountKey=secret-of-the-test",
            "AZURE_STORAGE_CONTAINER_NAME", "cache");
    private static final ObjectRun RUN = new ObjectRun(null, null, "1", List.of(Workload.parse("32x1MiB")), new Stop());

    private static List<ObjectService> given(String s3, String azure, Map<String, String> environment) {
        return new ObjectServices(RUN, s3, azure, environment).given();
    }

    @Test
    void whatTheUserNamesIsUsedWithCredentialsFromTheEnvironment() {
        List<ObjectService> services = given("http://host:9000/bucket", "environment", ENVIRONMENT);
        ObjectService s3 = services.get(0);
        assertEquals(List.of("bucket=bucket", "endpoint_override=http://host:9000", "scheme=http"), s3.parameters());
        assertEquals("secret-of-the-test", s3.environment().get("AWS_SECRET_ACCESS_KEY"));
        ObjectService azure = services.get(1);
        assertEquals("AZURE_BLOB", azure.backend());
        assertEquals(List.of("container_name=cache"), azure.parameters());
        assertEquals("https://kv.blob.core.windows.net", azure.endpoint());
    }

    @Test
    void secretsAreNeitherShownNorArgumentsNorConditions() {
        List<ObjectService> services = given("http://host:9000/bucket", "environment", ENVIRONMENT);
        for (ObjectService service : services) {
            assertFalse(service.toString().contains("-of-the-test"), service.toString());
            assertFalse(service.parameters().toString().contains("-of-the-test"));
        }
        Map<String, String> conditions = RUN.conditions(services, Optional.empty());
        assertFalse(conditions.toString().contains("-of-the-test"));
        assertEquals("http://host:9000", conditions.get("obj_endpoint"));
        assertEquals("not pinned", conditions.get("server_cpu"));
    }

    @Test
    void ourSideIsConfiguredAlike() {
        String config = given("http://host:9000/bucket", null, ENVIRONMENT)
                .get(0)
                .config("raw", "p/", "0.5", Map.of("req_checksum", "supported"));
        for (String line : List.of(
                "layout = \"raw\"",
                "arena_gb = 0.5",
                "[plugin.obj]",
                "engine = \"sdk\"",
                "prefix = \"p/\"",
                "endpoint_override = \"http://host:9000\"",
                "req_checksum = \"supported\"",
                "secret_key = \"secret-of-the-test\"")) {
            assertTrue(config.lines().anyMatch(line::equals), line);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://host:9000", "http://host:9000/", "bucket", "http://key:secret@host/bucket"})
    void anythingElseIsRefused(String s3) {
        assertThrows(IllegalArgumentException.class, () -> given(s3, null, ENVIRONMENT));
    }

    @Test
    void missingCredentialsAreNamed() {
        assertEquals(
                "AWS_ACCESS_KEY_ID is not set",
                assertThrows(IllegalArgumentException.class, () -> given("http://host/bucket", null, Map.of()))
                        .getMessage());
    }

    @Test
    void serversOfItsOwnAreNotNamed() {
        assertEquals(List.of(), given("", "", Map.of()));
        assertEquals(3, RUN.steps(given("http://host:9000/bucket", null, ENVIRONMENT)));
        assertEquals(2, RUN.steps(given(null, "environment", ENVIRONMENT)));
    }
}
