package io.nixlkv.plugin.obj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.Fault;
import io.nixlkv.plugin.support.testing.FaultProxy;
import io.nixlkv.plugin.support.testing.SeenRequest;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of 0 bytes, by which somebody else blocks a name: what the contract suite cannot ask for. */
class EmptyObjectsTest {
    private static final int LENGTH = 3000;

    private final S3Server server = S3Server.minio();
    private final String bucket = "empty-" + UUID.randomUUID();
    private FaultProxy proxy;
    private Obj obj;

    @BeforeEach
    void open() {
        server.createBucket(bucket);
        proxy = FaultProxy.before(server.endpoint().getPort());
        obj = open("2");
        server.put(bucket, "k", new byte[0]);
    }

    private Obj open(String attempts) {
        return new Obj(
                Obj.with(Obj.with(server.config(bucket), "endpoint_override", proxy.address()), "attempts", attempts));
    }

    @AfterEach
    void close() {
        obj.close();
        proxy.close();
        server.removeBucket(bucket);
    }

    /** With one attempt the SDK's client reads; with more the short way does. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void bothWaysOfReadingFindNothing(String attempts) {
        obj.close();
        obj = open(attempts);
        assertEquals(Status.MISSING, obj.read("k", LENGTH).status(0));
        assertEquals(Status.DONE, obj.create("k", LENGTH).status(0));
        assertEquals(Status.DONE, obj.read("k", LENGTH).status(0));
        assertTrue(obj.holds(LENGTH));
    }

    @Test
    void anObjectThatCameMeanwhileStays() {
        AtomicBoolean came = new AtomicBoolean();
        proxy.rule(request -> {
            if (ofObject(request) && !request.header("if-match").isEmpty() && came.compareAndSet(false, true)) {
                server.put(bucket, "k", new byte[LENGTH + 1]);
            }
            return Fault.pass();
        });
        assertEquals(Status.WRONG_SIZE, obj.create("k", LENGTH).status(0));
        assertTrue(came.get());
        assertEquals(LENGTH + 1, obj.query("k").storedLength(0));
    }

    @Test
    void aStoreThatIgnoresIfMatchIsNotTrusted() {
        proxy.rule(request -> !ofObject(request) && !request.header("if-match").isEmpty()
                ? new Fault.Answer(200, Map.of("ETag", "\"1\""), "")
                : Fault.pass());
        PackedBatch ended = obj.create("k", LENGTH);
        assertEquals(Status.UNSUPPORTED, ended.status(0), () -> Obj.told(ended));
        assertTrue(ended.sentence(0).contains("write_mode = \"replace\""), () -> Obj.told(ended));
        assertEquals(Status.MISSING, obj.query("k").status(0));
        assertEquals(Status.DONE, obj.write("k", LENGTH).status(0));
    }

    private static boolean ofObject(SeenRequest request) {
        return request.target().split("\\?")[0].endsWith("/k");
    }
}
