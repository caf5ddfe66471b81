package io.nixlkv.plugin.obj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A real server that knows neither deletion of several objects in one request nor checksum trailers. */
class S3ProxyTest {
    private static final int LENGTH = 300_000;

    @Test
    void objectsAreCreatedReplacedReadListedAndDeleted() {
        S3Server server = S3Server.s3Proxy();
        String bucket = "proxy-" + UUID.randomUUID();
        server.createBucket(bucket);
        try (Obj obj = new Obj(server.config(bucket))) {
            assertEquals(Status.MISSING, obj.read("a/k", LENGTH).status(0));
            assertEquals(Status.DONE, obj.create("a/k", LENGTH).status(0));
            assertEquals(Status.ALREADY_PRESENT, obj.create("a/k", LENGTH).status(0));
            assertEquals(Status.DONE, obj.write("a/k", LENGTH).status(0));
            assertEquals(LENGTH, obj.query("a/k").storedLength(0));
            assertEquals(Status.WRONG_SIZE, obj.read("a/k", LENGTH - 1).status(0));
            assertEquals(Status.DONE, obj.read("a/k", LENGTH).status(0));
            assertTrue(obj.holds(LENGTH));
            StringBuilder listed = new StringBuilder();
            obj.backend.list(0, "a/", System.nanoTime() + Obj.PATIENCE, (name, length, used) -> {
                listed.append(name).append(' ').append(length);
                return true;
            });
            assertEquals("a/k " + LENGTH, listed.toString());
            assertEquals(
                    Status.DONE,
                    obj.run(Op.DELETE, Mode.REPLACE, Obj.PATIENCE, "a/k", 1, 0).status(0));
            assertEquals(Status.MISSING, obj.query("a/k").status(0));
        } finally {
            server.removeBucket(bucket);
        }
    }
}
