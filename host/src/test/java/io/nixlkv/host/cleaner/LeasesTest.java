package io.nixlkv.host.cleaner;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeasesTest {
    private static final HashValue128 A = new HashValue128(1, 2);
    private static final HashValue128 B = new HashValue128(3, 4);

    private final AtomicLong now = new AtomicLong(5);
    private final Leases leases = new Leases(Duration.ofSeconds(10), now::get);

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void aLeaseLastsOneToTwoTimesItsDuration() {
        pass(9);
        leases.used(A);
        pass(10);
        assertTrue(leases.has(A));
        assertFalse(leases.has(B));
        pass(10);
        assertFalse(leases.has(A));
    }

    @Test
    void useRenewsIt() {
        for (int i = 0; i < 10; i++) {
            leases.used(A);
            pass(7);
            assertTrue(leases.has(A));
        }
        pass(100);
        assertFalse(leases.has(A));
    }

    @Test
    void whatIsBeingReadIsLeasedHoweverLongItTakes() {
        leases.reading(new HashValue128[] {A, B});
        leases.reading(new HashValue128[] {A});
        pass(1000);
        assertTrue(leases.has(A));
        leases.read(new HashValue128[] {A, B});
        pass(1000);
        assertTrue(leases.has(A));
        assertFalse(leases.has(B));
        leases.read(new HashValue128[] {A});
        assertFalse(leases.has(A));
    }

    @Test
    void whatIsNotThereNeedsNoLease() {
        leases.used(new HashValue128[] {A, B}, i -> i == 1);
        assertFalse(leases.has(A));
        assertTrue(leases.has(B));
    }
}
