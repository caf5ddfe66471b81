package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BoundedCloseTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(20);

    @Test
    void whatEndsInTimeHasEndedWhenItReturns() {
        CountDownLatch ran = new CountDownLatch(1);
        assertTrue(BoundedClose.within(LONG, "test-close", ran::countDown));
        assertEquals(0, ran.getCount());
    }

    @Test
    void whatItThrowsReachesTheCaller() {
        IllegalStateException broken = new IllegalStateException("broken");
        assertSame(
                broken,
                assertThrows(
                        IllegalStateException.class,
                        () -> BoundedClose.within(LONG, "test-close", () -> {
                            throw broken;
                        })));
    }

    @Test
    void whatHangsGoesOnByItself() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        assertFalse(BoundedClose.within(TimeUnit.MILLISECONDS.toNanos(100), "test-close", () -> {
            try {
                if (gate.await(30, TimeUnit.SECONDS)) {
                    done.countDown();
                }
            } catch (InterruptedException e) {
                throw new AssertionError("never interrupted", e);
            }
        }));
        gate.countDown();
        assertTrue(done.await(20, TimeUnit.SECONDS));
    }
}
