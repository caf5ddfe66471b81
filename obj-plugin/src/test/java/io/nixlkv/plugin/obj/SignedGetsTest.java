package io.nixlkv.plugin.obj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.Fault;
import io.nixlkv.plugin.support.testing.FaultProxy;
import io.nixlkv.plugin.support.testing.SeenRequest;
import io.nixlkv.spi.Status;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The short way of reading, and that what it cannot do is done by the SDK's client. */
class SignedGetsTest {
    private static final int LENGTH = 70_000;

    private final S3Server server = S3Server.minio();
    private final String bucket = "gets-" + UUID.randomUUID();
    private FaultProxy proxy;
    private Obj obj;

    @BeforeEach
    void open() {
        server.createBucket(bucket);
        proxy = FaultProxy.before(server.endpoint().getPort());
        obj = new Obj(Obj.with(
                Obj.with(server.config(bucket), "endpoint_override", proxy.address()),
                "attempts",
                "2",
                "resp_checksum",
                "supported"));
        assertEquals(Status.DONE, obj.write("a b/ü+k", LENGTH).status(0));
        proxy.forget();
    }

    @AfterEach
    void close() {
        obj.close();
        proxy.close();
        server.removeBucket(bucket);
    }

    private static boolean isShortWay(SeenRequest request) {
        return request.header("user-agent").equals("nixlkv");
    }

    private List<Boolean> read(Status expected) {
        proxy.forget();
        assertEquals(expected, obj.read("a b/ü+k", LENGTH).status(0));
        assertEquals(expected == Status.DONE, obj.holds(LENGTH));
        return proxy.seen().stream().map(SignedGetsTest::isShortWay).toList();
    }

    @Test
    void anObjectTakesOneRequestAndSoDoesAMissingOne() {
        assertEquals(List.of(true), read(Status.DONE));
        assertEquals("ENABLED", proxy.seen().get(0).header("x-amz-checksum-mode"));
        proxy.forget();
        assertEquals(Status.MISSING, obj.read("none", LENGTH).status(0));
        assertEquals(1, proxy.seen().size());
        proxy.forget();
        assertEquals(Status.WRONG_SIZE, obj.read("a b/ü+k", LENGTH + 1).status(0));
        assertEquals(1, proxy.seen().size());
    }

    @Test
    void bytesWithAnotherChecksumAreReadAgain() {
        proxy.rule(request -> isShortWay(request)
                ? new Fault.Answer(200, Map.of("x-amz-checksum-crc32c", "AAAAAA=="), "x".repeat(LENGTH))
                : Fault.pass());
        assertEquals(List.of(true, false), read(Status.DONE));
    }

    @Test
    void bytesWithAChecksumThatIsNotKnownHereAreReadAgain() {
        proxy.rule(request -> isShortWay(request)
                ? new Fault.Answer(200, Map.of("x-amz-checksum-crc64nvme", "AAAAAAAAAAA="), "x".repeat(LENGTH))
                : Fault.pass());
        assertEquals(List.of(true, false), read(Status.DONE));
    }

    @Test
    void itRestsWhenTheOtherWayIsAlwaysNeeded() {
        proxy.rule(request -> isShortWay(request) ? Fault.s3Error(403, "RequestTimeTooSkewed") : Fault.pass());
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of(true, false), read(Status.DONE));
        }
        assertEquals(List.of(false), read(Status.DONE));
        assertTrue(obj.holds(LENGTH));
    }
}
