package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is proved before a store counts as open: that it answers, knows the keys, has the bucket, and does what it should. */
public final class StartCheck {
    /**
     * What the check found.
     *
     * @param creates whether the store honours {@code If-None-Match}
     * @param create the same for people
     */
    public record Found(boolean creates, String create) {}

    /**
     * Words for sentences.
     *
     * @param strategy its name
     * @param place bucket or container, and endpoint
     * @param address the endpoint
     * @param identity where the keys come from, never the keys
     * @param framingHint what to set when the store keeps the framing of a body as its bytes
     */
    public record Words(String strategy, String place, String address, String identity, String framingHint) {}

    private static final Logger LOG = LoggerFactory.getLogger(StartCheck.class);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(8);
    private static final int LENGTH = 4097;
    private static final int NOT_IMPLEMENTED = 501;

    private final Words words;
    private final ObjectStore store;
    private final Runnable ping;

    /** @param ping one request whose refusal tells what is wrong with endpoint, credentials or bucket */
    public StartCheck(Words words, ObjectStore store, Runnable ping) {
        this.words = words;
        this.store = store;
        this.ping = ping;
    }

    /**
     * Runs the check.
     *
     * @param prefix of all keys
     * @param selfTest whether to write, read and delete a small object too
     * @throws StorageException with a sentence that names store, endpoint and the source of the keys, within ten seconds
     */
    public Found run(String prefix, boolean selfTest) {
        try (Alarm alarm = new Alarm(System.nanoTime() + PATIENCE)) {
            alarm.exchange().enter();
            try {
                ping.run();
                return selfTest ? selfTest(prefix) : new Found(true, "If-None-Match, not tested");
            } catch (StorageException known) {
                throw known;
            } catch (RuntimeException failure) {
                Answer answer = alarm.exchange().cancelled()
                        ? Answer.failed(
                                Status.UNAVAILABLE,
                                0,
                                words.address() + " did not answer within 8 s; check address, port and firewall")
                        : store.explain(failure);
                throw refused(answer, failure);
            } finally {
                alarm.exchange().leave();
            }
        }
    }

    private Found selfTest(String prefix) {
        String key = prefix + KeyRules.RESERVED + "selftest-" + UUID.randomUUID();
        byte[] written = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            written[i] = (byte) (i * 31 >> 3);
        }
        Slice body = new Slice(ByteBuffer.wrap(written));
        boolean creates;
        try {
            creates = roundTrip(key, body, written);
        } catch (RuntimeException failure) {
            try {
                store.delete(List.of(key));
            } catch (RuntimeException also) {
                failure.addSuppressed(also);
            }
            throw failure;
        }
        require(store.delete(List.of(key)).get(0), Status.DONE);
        if (!creates) {
            LOG.warn(
                    "{} does not honour If-None-Match: writes in CREATE mode are refused, set write_mode = \"replace\"",
                    words.place());
        }
        return new Found(creates, creates ? "If-None-Match" : "not honoured by the store");
    }

    /** @return whether CREATE was taken; some stores do not implement conditional writes and say so */
    private boolean written(String key, Slice body) {
        try {
            require(store.put(key, body, Mode.CREATE), Status.DONE);
            return true;
        } catch (RuntimeException refused) {
            if (refused instanceof StorageException || store.explain(refused).code() != NOT_IMPLEMENTED) {
                throw refused;
            }
            require(store.put(key, body, Mode.REPLACE), Status.DONE);
            return false;
        }
    }

    /** @return whether a second CREATE was refused */
    private boolean roundTrip(String key, Slice body, byte[] written) {
        boolean creates =
                written(key, body) && store.put(key, body, Mode.CREATE).status() == Status.ALREADY_PRESENT;
        byte[] read = new byte[LENGTH];
        Answer got = store.get(key, new Slice(ByteBuffer.wrap(read)));
        if (got.status() == Status.WRONG_SIZE) {
            throw new StorageException(
                    Status.FAILED,
                    words.place() + " stored " + got.storedLength() + " bytes where " + LENGTH
                            + " were sent: it does not decode the body" + words.framingHint());
        }
        require(got, Status.DONE);
        if (!Arrays.equals(written, read)) {
            throw new StorageException(
                    Status.FAILED, words.place() + " returns other bytes than were stored; it cannot be used");
        }
        return creates;
    }

    private void require(Answer answer, Status wanted) {
        if (answer.status() != wanted) {
            throw refused(answer, null);
        }
    }

    private StorageException refused(Answer answer, RuntimeException cause) {
        String why = answer.sentence() == null ? answer.status().toString() : answer.sentence();
        return new StorageException(
                answer.status(),
                words.strategy() + " cannot be opened on " + words.place() + " with keys from " + words.identity()
                        + ": " + why,
                cause);
    }
}
