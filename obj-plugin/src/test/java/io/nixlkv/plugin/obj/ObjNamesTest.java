package io.nixlkv.plugin.obj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Odd keys and foreign objects, on two servers. */
class ObjNamesTest {
    static List<Supplier<S3Server>> servers() {
        return List.of(S3Server::minio, S3Server::seaweed);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void oddNamesAreDistinctOrRefused(Supplier<S3Server> which) {
        S3Server server = which.get();
        String bucket = "names-" + UUID.randomUUID();
        server.createBucket(bucket);
        try (Obj obj = new Obj(server.config(bucket))) {
            List<String> good = List.of(
                    "a/b",
                    "lead",
                    "a b",
                    "a+b",
                    "a%20b",
                    "a?b",
                    "a#b",
                    "\u00e9",
                    "e\u0301",
                    "a&b<c>",
                    "a%2Fb",
                    "~",
                    "a:b=c@d,e;f");
            for (int i = 0; i < good.size(); i++) {
                assertEquals(Status.DONE, obj.write(good.get(i), 100 + i).status(0), good.get(i));
            }
            Map<String, Long> listed = new HashMap<>();
            obj.backend.list(0, "", System.nanoTime() + Obj.PATIENCE, (name, length, used) -> {
                assertNull(listed.put(name, length), name);
                return true;
            });
            for (int i = 0; i < good.size(); i++) {
                assertEquals(Status.DONE, obj.read(good.get(i), 100 + i).status(0), good.get(i));
                assertTrue(obj.holds(100 + i));
                assertEquals(100L + i, listed.get(good.get(i)), good.get(i));
            }
            for (String bad :
                    List.of("a//b", "/lead", "a/../b", ".", "..", "a/", "a\nb", "a\\b", "x".repeat(1025), "")) {
                assertEquals(Status.INVALID, obj.write(bad, 10).status(0), bad);
                assertEquals(Status.INVALID, obj.query(bad).status(0), bad);
            }
            PackedBatch deleted = obj.run(Op.DELETE, Mode.REPLACE, Obj.PATIENCE, "a&b<c>", 1, 0);
            assertEquals(Status.DONE, deleted.status(0));
            assertEquals(Status.MISSING, obj.query("a&b<c>").status(0));
        } finally {
            server.removeBucket(bucket);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void objectsOfOthersAreReadAndOursByOthers(Supplier<S3Server> which) {
        S3Server server = which.get();
        String bucket = "foreign-" + UUID.randomUUID();
        server.createBucket(bucket);
        try (Obj obj = new Obj(Obj.with(server.config(bucket), "prefix", "kv/"));
                S3Client other = server.client()) {
            byte[] bytes = new byte[70_000];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = Obj.pattern(7, i);
            }
            other.putObject(b -> b.bucket(bucket).key("kv/theirs.data"), RequestBody.fromBytes(bytes));
            other.putObject(b -> b.bucket(bucket).key("kv/empty"), RequestBody.empty());
            assertEquals(Status.DONE, obj.read("theirs.data", bytes.length).status(0));
            assertTrue(obj.holds(bytes.length));
            assertEquals(Status.MISSING, obj.query("empty").status(0));
            assertEquals(Status.DONE, obj.write("ours.data", bytes.length).status(0));
            byte[] read = other.getObjectAsBytes(b -> b.bucket(bucket).key("kv/ours.data"))
                    .asByteArrayUnsafe();
            assertEquals(-1, java.util.Arrays.mismatch(bytes, read));
        } finally {
            server.removeBucket(bucket);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void twoHostsShareABucket(Supplier<S3Server> which) {
        S3Server server = which.get();
        String bucket = "shared-" + UUID.randomUUID();
        server.createBucket(bucket);
        try (Obj one = new Obj(server.config(bucket));
                Obj two = new Obj(server.config(bucket))) {
            assertEquals(Status.DONE, one.create("k", 5000).status(0));
            assertEquals(Status.ALREADY_PRESENT, two.create("k", 5000).status(0));
            assertEquals(Status.WRONG_SIZE, two.create("k", 5001).status(0));
            assertEquals(Status.ALREADY_PRESENT, two.create("k", 5000).status(0));
            assertEquals(Status.DONE, two.read("k", 5000).status(0));
            assertTrue(two.holds(5000));
            // A large body is not even sent when the object is there already.
            assertEquals(Status.DONE, one.create("large", 4 << 20).status(0));
            assertEquals(Status.ALREADY_PRESENT, two.create("large", 4 << 20).status(0));
        } finally {
            server.removeBucket(bucket);
        }
    }
}
