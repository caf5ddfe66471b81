package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two host processes on one bucket or container, on the same keys at the same time: nothing is lost, nothing is torn. */
@Tag("variant")
class TwoHostsOneBucketIT {
    private static final int HOSTS = 2;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(ObjectPlace.Server.class)
    void nothingIsLostAndNothingIsTorn(ObjectPlace.Server server) throws IOException {
        ObjectPlace place = server.place();
        Path config = Files.writeString(
                directory.resolve("store.toml"),
                "[store]\nlayout = \"raw\"\narena_gb = 0.0625\n" + place.toml(Map.of("attempts", "20")));
        List<CompletableFuture<Distribution.Run>> children = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            List<String> command = List.of(
                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                    "-Xmx128m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    SharedBucketChild.class.getName(),
                    config.toString(),
                    Integer.toString(i),
                    Integer.toString(HOSTS));
            children.add(Distribution.onItsOwn(() -> Distribution.run(new ProcessBuilder(command))));
        }
        int created = 0;
        int present = 0;
        List<JsonNode> told = new ArrayList<>();
        for (CompletableFuture<Distribution.Run> child : children) {
            Distribution.Run run = child.join();
            assertEquals(0, run.exit(), run::toString);
            JsonNode one = new ObjectMapper().readTree(run.out());
            created += one.get("created").asInt();
            present += one.get("present").asInt();
            assertTrue(one.get("loads").asInt() > 0 && one.get("deletes").asInt() > 0, run::toString);
            told.add(one);
        }
        assertEquals(SharedBucketChild.RACES, created, "each object was created by exactly one");
        assertEquals(SharedBucketChild.RACES * (HOSTS - 1), present, "every other one was told so");
        try (PackedHost host = new PackedHost();
                KvStore store = host.host().open(HostConfig.load(config, Map.of()))) {
            for (int i = 0; i < SharedBucketChild.RACES; i++) {
                SharedBucketChild.whole(load(store, "race" + i, i), i);
            }
            for (int own = 0; own < SharedBucketChild.OWN; own++) {
                for (int writer = 0; writer < HOSTS; writer++) {
                    byte[] value = load(store, "own" + writer + "-" + own, own);
                    SharedBucketChild.whole(value, own);
                    assertEquals(
                            told.get(writer).get("versions").get(own).asLong(),
                            SharedBucketChild.version(value),
                            "the last version that host " + writer + " stored is the one that is there");
                }
            }
        }
    }

    private static byte[] load(KvStore store, String name, int key) {
        byte[] value = new byte[SharedBucketChild.length(key)];
        Status status = store.load(new RawKey(name), ByteBuffer.wrap(value), CallOptions.DEFAULT)
                .status();
        assertEquals(Status.DONE, status, name);
        return value;
    }
}
