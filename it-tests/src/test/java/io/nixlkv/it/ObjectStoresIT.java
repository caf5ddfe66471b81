package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.plugin.support.testing.ServerProcess;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The packed distribution with the smallest configuration of each object store, as an operator uses it. */
class ObjectStoresIT {
    private static final String MARKER = "S3CR3T-marker-123";
    private static final String[] SHORT = {
        "--num-keys", "8", "--in-flight", "2", "--data-size-kb", "64", "--rounds", "1", "--warmup-rounds", "0"
    };

    @TempDir
    Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static void shows(Distribution.Run run, String secret) {
        assertFalse(run.toString().contains(secret), "a secret is shown");
    }

    @ParameterizedTest
    @EnumSource(ObjectPlace.Server.class)
    void theSmallestConfigurationIsVerifiedAndShowsNoKey(ObjectPlace.Server server) throws IOException {
        ObjectPlace place = server.place();
        String toml = place.toml(Map.of());
        assertTrue(toml.lines().count() <= 6, toml);
        String config = file("store.toml", toml).toString();

        String[] bench = Stream.concat(Stream.of("bench", "--json", "--config", config), Stream.of(SHORT))
                .toArray(String[]::new);
        Distribution.Run measured = Distribution.nixlkv(bench);
        assertEquals(0, measured.exit(), measured::toString);
        JsonNode metrics = new ObjectMapper().readTree(measured.out()).get("metrics");
        assertEquals(16, metrics.get("op_0").get("total_success").asInt(), measured::toString);
        shows(measured, place.secret());

        Distribution.Run status = Distribution.nixlkv("status", "--json", "--config", config);
        assertEquals(0, status.exit(), status::toString);
        for (String name : place.names()) {
            assertTrue(status.out().contains(name), status::toString);
        }
        shows(status, place.secret());
        shows(Distribution.nixlkv("config", "check", config), place.secret());
        shows(Distribution.nixlkv("config", "check", "--json", config), place.secret());
        shows(Distribution.nixlkv("-vv", "status", "--config", config), place.secret());
    }

    @ParameterizedTest
    @EnumSource(
            value = ObjectPlace.Server.class,
            names = {"MINIO", "AZURITE"})
    void whatIsWrongIsOneSentence(ObjectPlace.Server server) throws IOException {
        ObjectPlace place = server.place();
        String other = place.plugin().equals("obj")
                ? MARKER
                : Base64.getEncoder().encodeToString(MARKER.getBytes(StandardCharsets.US_ASCII));
        refused(place.toml(place.withSecret(other)), "keys from", "refuses");
        refused(place.toml(place.elsewhere()), "not-here-at-all", "create it or correct");
        refused(
                place.toml(place.movedTo("http", "127.0.0.1:" + ServerProcess.freePort())),
                "cannot connect to http://127.0.0.1:",
                "check that the store runs");
        refused(place.toml(place.movedTo("https", place.address())), "plain HTTP", "http");
    }

    private void refused(String toml, String... words) throws IOException {
        Path config = file("wrong.toml", toml);
        long start = System.nanoTime();
        Distribution.Run run = Distribution.nixlkv("bench", "--config", config.toString());
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertEquals(1, run.exit(), run::toString);
        assertTrue(millis < 10_000, millis + " ms");
        assertEquals("", run.out());
        List<String> told = run.err()
                .lines()
                .filter(line -> !line.contains("better give it by the environment"))
                .toList();
        assertEquals(1, told.size(), run::toString);
        for (String word : words) {
            assertTrue(told.get(0).contains(word), () -> run + "\ndoes not say " + word);
        }
        shows(run, MARKER);
    }

    /** O16: more keys than one deletion of S3 takes, one of them absent. */
    @Test
    void moreThanAThousandObjectsAreDeletedAtOnce() {
        int count = 1001;
        String toml = "[store]\nlayout = \"raw\"\narena_gb = 0.0625\n"
                + ObjectPlace.minio().toml(Map.of());
        try (PackedHost host = new PackedHost();
                KvStore store = host.host().open(HostConfig.parse(toml, "test.toml", Map.of()));
                ArenaLease memory = store.arena().lease(count, Duration.ofSeconds(1))) {
            List<KvObject> objects = IntStream.range(0, count)
                    .mapToObj(i -> new KvObject(new RawKey("k&" + i), memory.slice(i, 1)))
                    .toList();
            assertTrue(store.store(objects, CallOptions.DEFAULT).allOk());
            List<RawKey> keys = IntStream.rangeClosed(0, count)
                    .mapToObj(i -> new RawKey("k&" + i))
                    .toList();
            List<Status> ended = store.delete(keys, CallOptions.DEFAULT).results().stream()
                    .map(ObjectResult::status)
                    .toList();
            assertEquals(Collections.nCopies(count, Status.DONE), ended.subList(0, count));
            assertEquals(Status.MISSING, ended.get(count));
        }
    }

    /** What the SDKs log at their finest holds the head of every request. */
    @Test
    void tokensAreNotLoggedEither() throws IOException {
        ObjectPlace bucket = ObjectPlace.minio();
        Path token = file("token.toml", bucket.toml(Map.of("session_token", MARKER)));
        Distribution.Run refused = Distribution.nixlkv("-vv", "status", "--config", token.toString());
        assertEquals(1, refused.exit(), refused::toString);
        shows(refused, MARKER);

        ObjectPlace container = ObjectPlace.azurite();
        String url = "http://" + container.address() + "/nixlkvtest?sv=2021-08-06&ss=b&srt=sco&sp=rwdlac&sig=" + MARKER;
        Path sas = file(
                "sas.toml",
                "[plugin.azure_blob]\nactive = true\ncontainer_name = \""
                        + container.settings().get("container_name") + "\"\naccount_url = \"" + url + "\"\n");
        refused = Distribution.nixlkv("-vv", "status", "--config", sas.toString());
        assertEquals(1, refused.exit(), refused::toString);
        shows(refused, MARKER);
        shows(Distribution.nixlkv("config", "check", "--json", sas.toString()), MARKER);
    }

    /** Each parser names the place of a mistake and not the text around it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[plugin.obj]\nactive = true\nsecret_key = \"" + MARKER,
                "[plugin.obj]\nactive = true\nsecret_key = " + MARKER + "\n",
                "[plugin.obj]\nactive = true\nbukcet = \"b\"\nsecret_key = \"" + MARKER + "\"\n",
                "[plugin.obj]\nactive = true\nsecret_key = \"" + MARKER + "\"\nsecrete_key = \"other-" + MARKER
                        + "\"\n",
                "[plugin.obj]\nactive = true\nbucket = \"abc\"\nendpoint_override = \"http://u:" + MARKER + "@h\"\n",
                "[plugin.azure_blob]\nactive = true\ncontainer_name = \"abc\"\nconnection_string = \"AccountKey="
                        + MARKER + "\"\n",
                "{\"plugin\": {\"obj\": {\"active\": true, \"secret_key\": \"" + MARKER + "}}}"
            })
    void aMistakeShowsNoSecret(String text) throws IOException {
        Path config = file(text.startsWith("{") ? "bad.json" : "bad.toml", text);
        for (String[] command :
                new String[][] {{"config", "check", config.toString()}, {"-vv", "status", "--config", config.toString()}
                }) {
            Distribution.Run run = Distribution.nixlkv(command);
            assertEquals(2, run.exit(), run::toString);
            shows(run, MARKER);
        }
    }
}
