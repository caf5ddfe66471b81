package io.nixlkv.host.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final Ledger ledger = new Ledger();

    private static HashValue128 object(int number) {
        return new HashValue128(number * 0x9E37_79B9_7F4A_7C15L, number);
    }

    @Test
    void forgetsTheUsesOfWhatIsNeitherStoredNorLeased() {
        ledger.use(object(1), false);
        ledger.use(object(2), false);
        ledger.put(object(2), 10);
        ledger.use(object(3), true);
        for (int i = 1; i <= 3; i++) {
            ledger.forget(object(i), LEASE);
        }
        assertEquals(2, ledger.uses());
        assertEquals(Long.MAX_VALUE, ledger.secondsUnused(object(1)));
        assertTrue(ledger.isLeased(object(3), LEASE));
    }

    @Test
    void aPutLeavesTheLeaseOfAnother() {
        ledger.use(object(1), true);
        ledger.use(object(1), false);
        assertTrue(ledger.isLeased(object(1), LEASE));
        ledger.use(object(2), false);
        assertFalse(ledger.isLeased(object(2), LEASE));
    }

    @Test
    void aCountEndsTheUsesOfWhatOthersDeleted() {
        for (int i = 0; i < 100_000; i++) {
            ledger.use(object(i), true);
            ledger.put(object(i), 1);
        }
        ledger.beginCount();
        for (int i = 0; i < 1000; i++) {
            ledger.count(object(i), 1);
        }
        ledger.endCount(true);
        ledger.forgetOthers(LEASE);
        assertEquals(100_000, ledger.uses(), "used within the lease");
        ledger.forgetOthers(Duration.ZERO);
        for (int i = 0; i < 1000; i++) {
            assertEquals(0, ledger.secondsUnused(object(i)), 5);
        }
        assertEquals(1000, ledger.uses(), 10);
    }
}
