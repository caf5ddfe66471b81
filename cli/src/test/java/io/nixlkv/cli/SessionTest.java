package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a signal does to a command; the process ends when the hook returns. */
class SessionTest {
    private static final Path NONE = Path.of("no-plugins-here");

    private static long hookMillis(Session session) {
        long start = System.nanoTime();
        session.endedBySignal();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    @Test
    void aCommandThatWaitsForStorageEndsAfterTwoSeconds() {
        try (Session session = Session.start(NONE)) {
            long millis = hookMillis(session);
            assertTrue(millis >= 1900 && millis < 3500, millis + " ms");
        }
    }

    @Test
    void aCommandThatCleansUpIsAwaited() throws Exception {
        Session session = Session.start(NONE);
        assertFalse(session.stopping());
        CountDownLatch cleanedUp = new CountDownLatch(1);
        Thread command = new Thread(() -> {
            while (!session.stopping()) {
                Thread.onSpinWait();
            }
            try {
                cleanedUp.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            session.close();
        });
        command.start();
        Thread hook = new Thread(session::endedBySignal);
        hook.start();
        hook.join(2500);
        assertTrue(hook.isAlive(), "longer than for a command that does not notice");
        cleanedUp.countDown();
        hook.join(5000);
        assertFalse(hook.isAlive());
        command.join();
    }
}
