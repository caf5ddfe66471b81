package io.nixlkv.plugin.azure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.core.util.BinaryData;
import io.nixlkv.plugin.support.testing.Fault;
import io.nixlkv.plugin.support.testing.FaultProxy;
import io.nixlkv.plugin.support.testing.SeenRequest;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.util.HashMap;
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

/** A scripted proxy before Azurite: each fault ends as that item's failure, within the deadline, with a sentence that helps. */
class AzureFaultsTest {
    private static final int LENGTH = 300_000;

    private final Azurite server = Azurite.server();
    private final String container = "faults-" + UUID.randomUUID();
    private FaultProxy proxy;
    private Blobs blobs;

    @BeforeEach
    void open() {
        server.client(container).create();
        proxy = FaultProxy.before(server.port());
        blobs = open("attempts", "2");
    }

    private Blobs open(String... more) {
        Map<String, String> config = Blobs.with(
                server.config(container), "connection_string", Azurite.connection("127.0.0.1", proxy.port()));
        return new Blobs(Blobs.with(config, more));
    }

    @AfterEach
    void close() {
        blobs.close();
        proxy.close();
        server.client(container).deleteIfExists();
    }

    private void always(Fault fault) {
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

    private static Fault error(int status, String code) {
        return new Fault.Answer(
                status,
                Map.of("x-ms-error-code", code, "Content-Type", "application/xml"),
                "<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>" + code + "</Code><Message>said by a test"
                        + "</Message></Error>");
    }

    private static void tells(PackedBatch ended, Status status, String... words) {
        assertEquals(status, ended.status(0), () -> Blobs.told(ended));
        for (String word : words) {
            assertTrue(ended.sentence(0).contains(word), () -> Blobs.told(ended) + " does not say " + word);
        }
    }

    @Test
    void aRetriedPutSendsTheSameBytes() {
        failOnce("PUT", error(500, "InternalError"));
        assertEquals(Status.DONE, blobs.write("k", LENGTH).status(0));
        List<SeenRequest> puts = proxy.seen();
        assertEquals(2, puts.size());
        assertArrayEquals(puts.get(0).body(), puts.get(1).body());
        assertEquals(Status.DONE, blobs.read("k", LENGTH).status(0));
        assertTrue(blobs.holds(LENGTH));
    }

    @Test
    void aPutCutInTheMiddleIsRetriedWhole() {
        failOnce("PUT", new Fault.CutRequest(1000));
        assertEquals(Status.DONE, blobs.write("k", LENGTH).status(0));
        assertEquals(LENGTH, blobs.query("k").storedLength(0));
    }

    @Test
    void aCreateWhoseAnswerWasLostIsStored() {
        failOnce("PUT", new Fault.LoseAnswer());
        PackedBatch ended = blobs.create("k", LENGTH);
        assertTrue(ended.status(0).stored(), () -> Blobs.told(ended));
        assertEquals(Status.DONE, blobs.read("k", LENGTH).status(0));
        assertTrue(blobs.holds(LENGTH));
    }

    @Test
    void anErrorBodyNeverReachesTheSlice() {
        blobs.write("k", LENGTH);
        for (Fault fault :
                List.of(error(404, "BlobNotFound"), error(403, "AuthorizationFailure"), error(503, "ServerBusy"))) {
            always(fault);
            assertFalse(blobs.read("k", LENGTH).status(0).stored());
            assertTrue(blobs.untouched(LENGTH), "after " + fault);
        }
        always(error(200, "InternalError"));
        tells(blobs.read("k", LENGTH), Status.FAILED, "200");
        assertTrue(blobs.untouched(LENGTH));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, LENGTH - 1})
    void aTruncatedBodyIsReadAgainOrFails(int bytes) {
        blobs.write("k", LENGTH);
        failOnce("GET", new Fault.CutAnswer(bytes));
        assertEquals(Status.DONE, blobs.read("k", LENGTH).status(0));
        assertTrue(blobs.holds(LENGTH));
        always(new Fault.CutAnswer(bytes));
        tells(blobs.read("k", LENGTH), Status.UNAVAILABLE, "broke");
        assertEquals(2, proxy.seen().size());
    }

    /** A repeated read begins anew, so it is the old blob or the new one, never the start of one and the end of the other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4096, (4 << 20) + 1})
    void aBlobChangedBetweenTwoAttemptsIsReadWhole(int bytes) {
        int length = 5 << 20;
        blobs.write("k", length);
        changeAtRepetition(bytes, length);
        assertEquals(Status.DONE, blobs.read("k", length).status(0));
        ByteBuffer memory = blobs.arena.segment(0);
        for (int i = 0; i < length; i++) {
            assertEquals(Blobs.pattern(8, i), memory.get(i));
        }
        changeAtRepetition(bytes, length + 1);
        assertEquals(Status.WRONG_SIZE, blobs.read("k", length).status(0));
    }

    /** Cuts the first read; before the second one somebody else replaces the blob. */
    private void changeAtRepetition(int bytes, int length) {
        byte[] other = new byte[length];
        for (int i = 0; i < length; i++) {
            other[i] = Blobs.pattern(8, i);
        }
        AtomicInteger reads = new AtomicInteger();
        proxy.rule(request -> {
            if (reads.getAndIncrement() == 0) {
                return new Fault.CutAnswer(bytes);
            }
            server.client(container).getBlobClient("k").upload(BinaryData.fromBytes(other), true);
            return Fault.pass();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, LENGTH - 1})
    void aBodyCutThreeTimesIsReadAtTheFourthAttempt(int bytes) {
        blobs.close();
        blobs = open("attempts", "4");
        blobs.write("k", LENGTH);
        AtomicInteger reads = new AtomicInteger();
        proxy.rule(request -> reads.getAndIncrement() < 3 ? new Fault.CutAnswer(bytes) : Fault.pass());
        assertEquals(Status.DONE, blobs.read("k", LENGTH).status(0));
        assertTrue(blobs.holds(LENGTH));
        assertEquals(4, reads.get());
    }

    @Test
    void aRetriedBlockSendsTheSameBytes() {
        blobs.close();
        blobs = open("multipart_threshold", "1MiB", "part_size", "1MiB");
        int length = (1 << 20) + 77;
        failOnce("PUT", error(500, "InternalError"));
        assertEquals(Status.DONE, blobs.write("k", length).status(0));
        failOnce("PUT", new Fault.CutRequest(50));
        assertEquals(Status.DONE, blobs.write("k", length).status(0));
        proxy.rule(request -> Fault.pass());
        assertEquals(Status.DONE, blobs.read("k", length).status(0));
        assertTrue(blobs.holds(length));
    }

    @Test
    void throttlingIsNotAbsence() {
        blobs.write("k", LENGTH);
        always(error(503, "ServerBusy"));
        tells(blobs.read("k", LENGTH), Status.THROTTLED, "slow down", "num_threads");
        tells(blobs.query("k"), Status.THROTTLED);
        tells(blobs.write("k", LENGTH), Status.THROTTLED);
    }

    @Test
    void everyFaultEndsAtTheDeadline() {
        blobs.write("k", LENGTH);
        long nanos = TimeUnit.MILLISECONDS.toNanos(700);
        for (Fault fault : List.of(
                new Fault.BlackHole(), new Fault.Trickle(1000), new Fault.Delay(60_000), error(503, "ServerBusy"))) {
            always(fault);
            for (Op op : fault instanceof Fault.Trickle ? List.of(Op.READ) : List.of(Op.READ, Op.WRITE)) {
                blobs.fill(LENGTH);
                long start = System.nanoTime();
                PackedBatch ended = blobs.run(op, Mode.REPLACE, nanos, "k", 1, LENGTH);
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                assertFalse(ended.status(0).stored(), () -> fault + " " + Blobs.told(ended));
                assertTrue(millis < 3000, fault + " took " + millis + " ms");
                blobs.scribble(LENGTH);
                assertTrue(blobs.untouched(LENGTH));
            }
        }
        proxy.rule(request -> Fault.pass());
        assertEquals(Status.DONE, blobs.write("after", LENGTH).status(0));
        assertEquals(Status.DONE, blobs.read("after", LENGTH).status(0));
    }

    @Test
    void aRemovedContainerIsNoEmptyCache() {
        blobs.write("k", LENGTH);
        server.client(container).delete();
        for (PackedBatch ended : List.of(blobs.read("k", LENGTH), blobs.query("k"), blobs.write("k", LENGTH))) {
            tells(ended, Status.UNAVAILABLE, "container " + container, "create it");
        }
    }

    @Test
    void encodedAndPlainNamesAreDistinct() {
        List<String> names =
                List.of("a%20b", "a b", "a+b", "a/b", "a%2Fb", "a%252Fb", "a.", "\u00fc", "a?b", "a#b", "a&b");
        for (int i = 0; i < names.size(); i++) {
            assertEquals(Status.DONE, blobs.write(names.get(i), 100 + i).status(0), names.get(i));
        }
        Map<String, Long> listed = new HashMap<>();
        blobs.backend.list(0, "", System.nanoTime() + Blobs.PATIENCE, (name, length, used) -> {
            assertNull(listed.put(name, length), name);
            return true;
        });
        for (int i = 0; i < names.size(); i++) {
            assertEquals(Status.DONE, blobs.read(names.get(i), 100 + i).status(0), names.get(i));
            assertEquals(100L + i, listed.get(names.get(i)), names.get(i));
        }
        for (String name : List.of("a\\b", "a/")) {
            assertEquals(Status.INVALID, blobs.write(name, 10).status(0), name);
        }
    }

    @Test
    void blobsOfOthersAreReadAndOursByOthers() {
        byte[] bytes = new byte[70_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Blobs.pattern(7, i);
        }
        server.client(container).getBlobClient("theirs.data").upload(BinaryData.fromBytes(bytes));
        assertEquals(Status.DONE, blobs.read("theirs.data", bytes.length).status(0));
        assertTrue(blobs.holds(bytes.length));
        assertEquals(Status.DONE, blobs.write("ours.data", bytes.length).status(0));
        assertArrayEquals(
                bytes,
                server.client(container)
                        .getBlobClient("ours.data")
                        .downloadContent()
                        .toBytes());
    }
}
