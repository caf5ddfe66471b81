package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.Alarm;
import io.nixlkv.plugin.support.object.Answer;
import io.nixlkv.plugin.support.object.KeyRules;
import io.nixlkv.plugin.support.object.Slice;
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

/** What is proved before a store counts as open: that it answers, knows the keys, has the bucket, and does what S3 says. */
final class StartCheck {
    /**
     * What the check found.
     *
     * @param creates whether the store honours {@code If-None-Match}
     * @param create the same for people
     */
    record Found(boolean creates, String create) {}

    private static final Logger LOG = LoggerFactory.getLogger(StartCheck.class);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(8);
    private static final int LENGTH = 4097;

    private final ObjSettings settings;
    private final S3Store store;

    StartCheck(ObjSettings settings, S3Store store) {
        this.settings = settings;
        this.store = store;
    }

    /** @throws StorageException with a sentence that names bucket, endpoint and the source of the keys, within ten seconds */
    Found run() {
        try (Alarm alarm = new Alarm(System.nanoTime() + PATIENCE)) {
            alarm.exchange().enter();
            try {
                store.ping();
                return settings.selfTest() ? selfTest() : new Found(true, "If-None-Match, not tested");
            } catch (StorageException known) {
                throw known;
            } catch (RuntimeException failure) {
                Answer answer = alarm.exchange().cancelled()
                        ? Answer.failed(
                                Status.UNAVAILABLE,
                                0,
                                settings.address() + " did not answer within 8 s; check address, port and firewall")
                        : store.explain(failure);
                throw refused(answer, failure);
            } finally {
                alarm.exchange().leave();
            }
        }
    }

    private Found selfTest() {
        String key = settings.keys().prefix() + KeyRules.RESERVED + "selftest-" + UUID.randomUUID();
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
                    "{} ignores If-None-Match: writes in CREATE mode are refused, set write_mode = \"replace\"",
                    settings.place());
        }
        return new Found(creates, creates ? "If-None-Match" : "not honoured by the store");
    }

    /** @return whether a second CREATE was refused */
    private boolean roundTrip(String key, Slice body, byte[] written) {
        require(store.put(key, body, Mode.CREATE), Status.DONE);
        boolean creates = store.put(key, body, Mode.CREATE).status() == Status.ALREADY_PRESENT;
        byte[] read = new byte[LENGTH];
        Answer got = store.get(key, new Slice(ByteBuffer.wrap(read)));
        if (got.status() == Status.WRONG_SIZE) {
            throw new StorageException(
                    Status.FAILED,
                    settings.place() + " stored " + got.storedLength() + " bytes where " + LENGTH
                            + " were sent: it does not decode the body; set req_checksum = \"required\"");
        }
        require(got, Status.DONE);
        if (!Arrays.equals(written, read)) {
            throw new StorageException(
                    Status.FAILED, settings.place() + " returns other bytes than were stored; it cannot be used");
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
                "OBJ cannot be opened on " + settings.place() + " with keys from "
                        + settings.identity().source() + ": " + why,
                cause);
    }
}
