package io.nixlkv.plugin.obj;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.Fault;
import io.nixlkv.plugin.support.testing.FaultProxy;
import io.nixlkv.plugin.support.testing.SeenRequest;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** A scripted proxy before a real store: each fault ends as that item's failure, within the deadline, with a sentence that helps. */
class ObjFaultsTest {
    private static final int LENGTH = 300_000;

    private final S3Server server = S3Server.minio();
    private final String bucket = "faults-" + UUID.randomUUID();
    private FaultProxy proxy;
    private Obj obj;

    @BeforeEach
    void open() {
        server.createBucket(bucket);
        proxy = FaultProxy.before(server.endpoint().getPort());
        obj = open("attempts", "2");
    }

    private Obj open(String... more) {
        Map<String, String> config = Obj.with(server.config(bucket), "endpoint_override", proxy.address());
        return new Obj(Obj.with(config, more));
    }

    @AfterEach
    void close() {
        obj.close();
        proxy.close();
        server.removeBucket(bucket);
    }

    private void allNew(Fault fault) {
        proxy.forget();
        proxy.rule(request -> fault);
    }

    private void failOnce(String method, Fault fault) {
        proxy.forget();
        boolean[] done = {false};
        proxy.rule(request -> {
            synchronized (done) {
                if (!done[0] && request.method().equals(method)) {
                    done[0] = true;
                    return fault;
                }
            }
            return Fault.pass();
        });
    }

    private static void tells(PackedBatch ended, Status status, String... words) {
        assertEquals(status, ended.status(0), () -> Obj.told(ended));
        for (String word : words) {
            assertTrue(ended.sentence(0).contains(word), () -> Obj.told(ended) + " does not say " + word);
        }
    }

    @Test
    void aRetriedPutSendsTheSameBytes() {
        failOnce("PUT", Fault.s3Error(500, "InternalError"));
        assertEquals(Status.DONE, obj.write("k", LENGTH).status(0));
        List<SeenRequest> puts = proxy.seen();
        assertEquals(2, puts.size());
        assertArrayEquals(puts.get(0).body(), puts.get(1).body());
        proxy.rule(request -> Fault.pass());
        assertEquals(Status.DONE, obj.read("k", LENGTH).status(0));
        assertTrue(obj.holds(LENGTH));
    }

    @Test
    void aPutCutInTheMiddleIsRetriedWhole() {
        failOnce("PUT", new Fault.CutRequest(1000));
        assertEquals(Status.DONE, obj.write("k", LENGTH).status(0));
        assertEquals(LENGTH, obj.query("k").storedLength(0));
    }

    @Test
    void aCreateWhoseAnswerWasLostIsStored() {
        // Short enough for the store to read it all before it refuses the repetition.
        int length = 100_000;
        failOnce("PUT", new Fault.LoseAnswer());
        PackedBatch ended = obj.create("k", length);
        assertTrue(ended.status(0).stored(), () -> Obj.told(ended));
        assertEquals(Status.DONE, obj.read("k", length).status(0));
        assertTrue(obj.holds(length));
    }

    @Test
    void anErrorBodyNeverReachesTheSlice() {
        obj.write("k", LENGTH);
        for (Fault fault : List.of(
                Fault.s3Error(404, "NoSuchKey"), Fault.s3Error(403, "AccessDenied"), Fault.s3Error(503, "SlowDown"))) {
            allNew(fault);
            assertFalse(obj.read("k", LENGTH).status(0).stored());
            assertTrue(obj.untouched(LENGTH), "after " + fault);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, LENGTH - 1})
    void aTruncatedBodyIsAFailure(int bytes) {
        obj.write("k", LENGTH);
        allNew(new Fault.CutAnswer(bytes));
        tells(obj.read("k", LENGTH), Status.UNAVAILABLE, "broke", proxy.address());
        assertEquals(2, proxy.seen().size());
    }

    @Test
    void aBodyTruncatedOnceIsReadAgain() {
        obj.write("k", LENGTH);
        failOnce("GET", new Fault.CutAnswer(5000));
        assertEquals(Status.DONE, obj.read("k", LENGTH).status(0));
        assertTrue(obj.holds(LENGTH));
    }

    /** A repeated read begins anew, so it is the old object or the new one, never the start of one and the end of the other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4096, LENGTH - 1})
    void anObjectChangedBetweenTwoAttemptsIsReadWhole(int bytes) {
        obj.write("k", LENGTH);
        changeAtRepetition(bytes, LENGTH);
        assertEquals(Status.DONE, obj.read("k", LENGTH).status(0));
        ByteBuffer memory = obj.arena.segment(0);
        for (int i = 0; i < LENGTH; i++) {
            assertEquals(Obj.pattern(8, i), memory.get(i));
        }
        changeAtRepetition(bytes, LENGTH + 1);
        assertEquals(Status.WRONG_SIZE, obj.read("k", LENGTH).status(0));
    }

    /** Cuts the first read; before the second one somebody else replaces the object. */
    private void changeAtRepetition(int bytes, int length) {
        byte[] other = new byte[length];
        for (int i = 0; i < length; i++) {
            other[i] = Obj.pattern(8, i);
        }
        AtomicInteger reads = new AtomicInteger();
        proxy.rule(request -> {
            if (reads.getAndIncrement() == 0) {
                return new Fault.CutAnswer(bytes);
            }
            try (S3Client client = server.client()) {
                client.putObject(b -> b.bucket(bucket).key("k"), RequestBody.fromBytes(other));
            }
            return Fault.pass();
        });
    }

    @Test
    void aRetriedPartSendsTheSameBytes() {
        obj.close();
        obj = open("multipart_threshold", "5MiB", "part_size", "5MiB");
        int length = (5 << 20) + 77;
        failOnce("PUT", Fault.s3Error(500, "InternalError"));
        assertEquals(Status.DONE, obj.write("k", length).status(0));
        assertEquals(
                3, proxy.seen().stream().filter(r -> r.method().equals("PUT")).count());
        failOnce("PUT", new Fault.CutRequest(50));
        assertEquals(Status.DONE, obj.write("k", length).status(0));
        proxy.rule(request -> Fault.pass());
        assertEquals(Status.DONE, obj.read("k", length).status(0));
        assertTrue(obj.holds(length));
    }

    @Test
    void anErrorInside200IsNoObject() {
        obj.write("k", LENGTH);
        allNew(Fault.s3Error(200, "InternalError"));
        assertFalse(obj.read("k", LENGTH).status(0).stored());
        assertTrue(obj.untouched(LENGTH));
        tells(obj.write("k", LENGTH), Status.FAILED, "200");
    }

    @Test
    void throttlingIsNotAbsence() {
        obj.write("k", LENGTH);
        allNew(Fault.s3Error(503, "SlowDown"));
        tells(obj.read("k", LENGTH), Status.THROTTLED, "slow down", "num_threads");
        assertEquals(2, proxy.seen().size(), "attempts as configured");
        tells(obj.query("k"), Status.THROTTLED);
        tells(obj.write("k", LENGTH), Status.THROTTLED);
        failOnce("HEAD", Fault.s3Error(503, ""));
        assertEquals(Status.DONE, obj.query("k").status(0));
    }

    @Test
    void everyFaultEndsAtTheDeadline() {
        obj.write("k", LENGTH);
        long nanos = TimeUnit.MILLISECONDS.toNanos(700);
        for (Fault fault : List.of(
                new Fault.BlackHole(),
                new Fault.Trickle(1000),
                new Fault.Delay(60_000),
                Fault.s3Error(503, "SlowDown"))) {
            allNew(fault);
            // The answer to a write has no body that could trickle.
            for (Op op : fault instanceof Fault.Trickle ? List.of(Op.READ) : List.of(Op.READ, Op.WRITE)) {
                obj.fill(LENGTH);
                long start = System.nanoTime();
                PackedBatch ended = obj.run(op, Mode.REPLACE, nanos, "k", 1, LENGTH);
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                assertFalse(ended.status(0).stored(), () -> fault + " " + Obj.told(ended));
                assertTrue(millis < 3000, fault + " took " + millis + " ms");
                // After the fence the memory is the caller's again.
                obj.scribble(LENGTH);
                assertTrue(obj.untouched(LENGTH));
            }
        }
        proxy.rule(request -> Fault.pass());
        assertEquals(Status.DONE, obj.write("after", LENGTH).status(0));
        assertEquals(Status.DONE, obj.read("after", LENGTH).status(0));
    }

    @Test
    void noConnectionIsLost() {
        obj.close();
        obj = open("num_threads", "4", "attempts", "1");
        obj.write("k", LENGTH);
        for (int round = 0; round < 10; round++) {
            obj.run(Op.READ, Mode.REPLACE, Obj.PATIENCE, "missing" + round, 20, 4096);
            assertEquals(Status.WRONG_SIZE, obj.read("k", 1000).status(0));
            allNew(new Fault.CutAnswer(100));
            obj.run(Op.READ, Mode.REPLACE, Obj.PATIENCE, "k", 20, LENGTH);
            allNew(new Fault.BlackHole());
            obj.run(Op.READ, Mode.REPLACE, 20_000_000, "k", 20, LENGTH);
            proxy.rule(request -> Fault.pass());
        }
        long start = System.nanoTime();
        assertEquals(Status.DONE, obj.read("k", LENGTH).status(0));
        assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void clockSkewIsNamed() {
        allNew(Fault.s3Error(403, "RequestTimeTooSkewed"));
        tells(obj.write("k", LENGTH), Status.DENIED, "clock", "NTP");
    }

    @Test
    void anotherRegionIsNamed() {
        allNew(new Fault.Answer(
                301,
                Map.of("x-amz-bucket-region", "eu-central-1", "Content-Type", "application/xml"),
                "<Error><Code>PermanentRedirect</Code><Message>elsewhere</Message></Error>"));
        tells(obj.write("k", LENGTH), Status.UNAVAILABLE, "set region to \"eu-central-1\"");
    }

    @Test
    void aRemovedBucketIsNoEmptyCache() {
        S3Server real = server;
        obj.write("k", LENGTH);
        real.removeBucket(bucket);
        tells(obj.read("k", LENGTH), Status.UNAVAILABLE, "bucket " + bucket, "create it");
        tells(obj.query("k"), Status.UNAVAILABLE, "bucket " + bucket);
        tells(obj.write("k", LENGTH), Status.UNAVAILABLE, "bucket " + bucket);
        real.createBucket(bucket);
    }

    @Test
    void aFullStoreIsNamed() {
        allNew(Fault.s3Error(507, "XMinioStorageFull"));
        tells(obj.write("k", LENGTH), Status.NO_SPACE, "full");
    }

    @Test
    void oneRefusedDeletionLeavesTheOthers() {
        obj.run(Op.WRITE, Mode.REPLACE, Obj.PATIENCE, "d", 10, 100);
        proxy.rule(request -> request.method().equals("POST")
                ? new Fault.Answer(
                        200,
                        Map.of("Content-Type", "application/xml"),
                        "<DeleteResult><Error><Key>d-7</Key><Code>AccessDenied</Code><Message>no</Message></Error>"
                                + "</DeleteResult>")
                : Fault.pass());
        PackedBatch ended = obj.run(Op.DELETE, Mode.REPLACE, Obj.PATIENCE, "d", 10, 0);
        for (int i = 0; i < 10; i++) {
            assertEquals(i == 7 ? Status.DENIED : Status.DONE, ended.status(i));
        }
    }

    @Test
    void requiredSendsAPlainSignedBody() {
        proxy.forget();
        obj.write("k", LENGTH);
        SeenRequest put = proxy.seen().get(0);
        assertEquals("", put.header("content-encoding"));
        assertEquals("", put.header("x-amz-trailer"));
        assertEquals("", put.header("x-amz-sdk-checksum-algorithm"));
        assertTrue(
                put.header("x-amz-content-sha256").matches("[0-9a-f]{64}"),
                put.headers().toString());
        assertEquals(Integer.toString(LENGTH), put.header("content-length"));
        assertEquals(LENGTH, put.body().length);
    }

    @Test
    void supportedSendsAChecksumHeaderAndNoTrailer() {
        obj.close();
        obj = open("req_checksum", "supported");
        proxy.forget();
        assertEquals(Status.DONE, obj.write("k", LENGTH).status(0));
        SeenRequest put = proxy.seen().get(0);
        assertEquals("", put.header("x-amz-trailer"));
        assertEquals("UNSIGNED-PAYLOAD", put.header("x-amz-content-sha256"));
        assertEquals(8, put.header("x-amz-checksum-crc32c").length());
        assertEquals(LENGTH, put.body().length);
        assertEquals(Status.DONE, obj.read("k", LENGTH).status(0));
        assertTrue(obj.holds(LENGTH));
    }

    @Test
    void aStoreThatRefusesChecksumsIsToldApart() {
        obj.close();
        obj = open("req_checksum", "supported");
        proxy.rule(request -> request.header("x-amz-checksum-crc32c").isEmpty()
                ? Fault.pass()
                : Fault.s3Error(400, "InvalidRequest"));
        tells(obj.write("k", LENGTH), Status.FAILED, "req_checksum = \"required\"");
    }
}
