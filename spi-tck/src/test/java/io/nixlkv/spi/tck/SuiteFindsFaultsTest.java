package io.nixlkv.spi.tck;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.FaultyLane.Fault;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;

/** A suite that finds nothing proves nothing: each fault breaks the test that is there for it, by the name of the rule. */
class SuiteFindsFaultsTest {
    @TempDir
    private Path temporary;

    private static final class Suite extends StorageContract {
        Suite(Fault fault) {
            super(new Setup(fault));
        }
    }

    private record Setup(Fault fault) implements ContractSetup {
        @Override
        public StorageStrategy strategy() {
            return new FaultyStrategy(fault);
        }

        @Override
        public String engine() {
            return "plain";
        }

        @Override
        public Map<String, String> config(Path location) {
            return Map.of("path", location.toString());
        }
    }

    private void finds(Fault fault, Rule rule, ThrowingConsumer<StorageContract> test) throws Exception {
        Suite suite = new Suite(fault);
        suite.openStore(temporary);
        try {
            AssertionError broken = assertThrows(AssertionError.class, () -> test.accept(suite));
            assertTrue(broken.getMessage().startsWith("rule " + rule), broken.getMessage());
        } finally {
            suite.closeStore();
        }
    }

    @Test
    void anItemThatNeverEnds() throws Exception {
        finds(Fault.FORGETS_MISSING_ITEMS, Rule.ONCE, BatchRules::missingObjectInAGoodBatch);
    }

    @Test
    void anItemThatEndsTwice() throws Exception {
        finds(Fault.COMPLETES_TWICE, Rule.ONCE, SizeRules::roundTripOf1Byte);
        finds(Fault.COMPLETES_LATE, Rule.ONCE, SizeRules::roundTripOf1Byte);
    }

    @Test
    void anExceptionForAnItem() throws Exception {
        finds(Fault.THROWS_ON_A_BAD_ITEM, Rule.PER_OBJECT, BatchRules::missingObjectInAGoodBatch);
    }

    @Test
    void aPartOfAnObject() throws Exception {
        finds(Fault.RETURNS_PART_OF_AN_OBJECT, Rule.EXACT_READS, BatchRules::shortObjectInAGoodBatch);
        finds(Fault.RETURNS_PART_OF_AN_OBJECT, Rule.EXACT_READS, BatchRules::oversizedObjectInAGoodBatch);
    }

    @Test
    void bytesBesideTheSlice() throws Exception {
        finds(Fault.WRITES_BEYOND_THE_SLICE, Rule.SLICES, SizeRules::roundTripOf4095Bytes);
    }

    @Test
    void aWrongBit() throws Exception {
        finds(Fault.FLIPS_A_BIT, Rule.ROUND_TRIP, SizeRules::roundTripOf1MiB);
    }

    @Test
    void aTouchBehindTheFence() throws Exception {
        finds(Fault.KEEPS_READING_AFTER_THE_DEADLINE, Rule.FENCE, DeadlineRules::anExpiredDeadlineEndsARead);
    }

    @Test
    void aCreateThatReplaces() throws Exception {
        finds(Fault.REPLACES_ON_CREATE, Rule.CREATE, WriteModeRules::createLeavesAnObjectOfEqualLengthAlone);
        finds(Fault.REPLACES_ON_CREATE, Rule.CREATE, WriteModeRules::createLeavesAnObjectOfAnotherLengthAlone);
    }

    @Test
    void aNameThatIsNotRefused() throws Exception {
        finds(Fault.REFUSES_NOTHING, Rule.NAMES, NameRules::namesThatEscapeAreRefused);
    }

    /** Public and without arguments, since the kill test makes it again in another process. */
    public static final class Tearing implements ContractSetup {
        @Override
        public StorageStrategy strategy() {
            return new FaultyStrategy(Fault.TEARS);
        }

        @Override
        public String engine() {
            return "plain";
        }

        @Override
        public Map<String, String> config(Path location) {
            return Map.of("path", location.toString());
        }

        @Override
        public int kills() {
            return 100;
        }
    }

    @Test
    void aTornObject(@TempDir Path logs) throws Exception {
        StorageContract suite = new StorageContract(new Tearing()) {};
        suite.openStore(temporary);
        try {
            AssertionError broken =
                    assertThrows(AssertionError.class, () -> suite.killedWritersLeaveOnlyWholeObjects(logs));
            assertTrue(broken.getMessage().startsWith("rule " + Rule.WHOLE), broken.getMessage());
        } finally {
            suite.closeStore();
        }
    }
}
