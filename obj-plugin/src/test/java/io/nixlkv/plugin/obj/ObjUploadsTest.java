package io.nixlkv.plugin.obj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.Fault;
import io.nixlkv.plugin.support.testing.FaultProxy;
import io.nixlkv.plugin.support.testing.SeenRequest;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** Multipart uploads that end badly: none stays in the bucket, and the item says what it would have said otherwise. */
class ObjUploadsTest {
    private static final int LENGTH = (5 << 20) + 77;

    private final S3Server server = S3Server.minio();
    private final String bucket = "uploads-" + UUID.randomUUID();
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
                "multipart_threshold",
                "5MiB",
                "part_size",
                "5MiB"));
        proxy.forget();
    }

    @AfterEach
    void close() {
        obj.close();
        proxy.close();
        server.removeBucket(bucket);
    }

    private void fault(Predicate<SeenRequest> which, Fault fault) {
        proxy.rule(request -> which.test(request) ? fault : Fault.pass());
    }

    private static boolean isPart(SeenRequest request) {
        return request.target().contains("partNumber=");
    }

    private static boolean isCompletion(SeenRequest request) {
        return request.method().equals("POST") && request.target().contains("uploadId=");
    }

    private static boolean isAbort(SeenRequest request) {
        return request.method().equals("DELETE") && request.target().contains("uploadId=");
    }

    private PackedBatch write(Mode mode, long millis) {
        obj.fill(LENGTH);
        return obj.run(Op.WRITE, mode, TimeUnit.MILLISECONDS.toNanos(millis), "k", 1, LENGTH);
    }

    private void nothingIsLeft() {
        obj.close();
        assertTrue(proxy.seen().stream().anyMatch(ObjUploadsTest::isAbort));
        try (S3Client client = server.client()) {
            assertEquals(
                    List.of(),
                    client.listMultipartUploads(b -> b.bucket(bucket).prefix("k"))
                            .uploads());
        }
    }

    @Test
    void aPutThatTimesOutLeavesNoUpload() {
        fault(ObjUploadsTest::isPart, new Fault.BlackHole());
        assertEquals(Status.TIMED_OUT, write(Mode.REPLACE, 700).status(0));
        nothingIsLeft();
    }

    @Test
    void aPutWhosePartsFailLeavesNoUpload() {
        fault(ObjUploadsTest::isPart, Fault.s3Error(500, "InternalError"));
        assertEquals(Status.UNAVAILABLE, write(Mode.REPLACE, 20_000).status(0));
        nothingIsLeft();
    }

    @Test
    void aPutWhoseCompletionTimesOutLeavesNoUpload() {
        fault(ObjUploadsTest::isCompletion, new Fault.BlackHole());
        assertEquals(Status.TIMED_OUT, write(Mode.CREATE, 3000).status(0));
        nothingIsLeft();
        assertTrue(proxy.seen().stream().anyMatch(ObjUploadsTest::isCompletion));
    }

    @Test
    void aFailingAbortDoesNotHideWhatCreateFound() {
        assertEquals(Status.DONE, write(Mode.CREATE, 20_000).status(0));
        fault(ObjUploadsTest::isAbort, Fault.s3Error(403, "AccessDenied"));
        assertEquals(Status.ALREADY_PRESENT, write(Mode.CREATE, 20_000).status(0));
    }

    @Test
    void aCompletionWhoseAnswerWasLostIsStored() {
        boolean[] lost = {false};
        proxy.rule(request -> {
            if (isCompletion(request) && !lost[0]) {
                lost[0] = true;
                return new Fault.LoseAnswer();
            }
            return Fault.pass();
        });
        PackedBatch ended = write(Mode.CREATE, 20_000);
        assertTrue(ended.status(0).stored(), () -> Obj.told(ended));
        assertEquals(Status.DONE, obj.read("k", LENGTH).status(0));
        assertTrue(obj.holds(LENGTH));
    }

    /** Somebody else ended the upload: another object of that name is no success. */
    @Test
    void anUploadThatIsGoneIsNotStored() {
        server.put(bucket, "k", new byte[] {1, 2, 3});
        fault(ObjUploadsTest::isCompletion, Fault.s3Error(404, "NoSuchUpload"));
        PackedBatch ended = write(Mode.REPLACE, 20_000);
        assertEquals(Status.FAILED, ended.status(0), () -> Obj.told(ended));
        assertTrue(ended.sentence(0).contains("somebody else has ended this upload"), () -> Obj.told(ended));
    }
}
