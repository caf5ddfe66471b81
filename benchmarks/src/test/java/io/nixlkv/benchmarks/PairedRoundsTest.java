package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.benchmarks.PairedRounds.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PairedRoundsTest {

    @Test
    void everyTimeLandsOnItsOwnSideWhicheverWasFirst() {
        List<String> log = new ArrayList<>();
        FakeContender fast = new FakeContender("fast", 10, log);
        FakeContender slow = new FakeContender("slow", 30, log);
        FakeContender twin = new FakeContender("twin", 30, log);
        List<Map<Operation, Samples>> samples = new PairedRounds(new Random(1), 1, () -> {})
                .run(List.of(new Pair(fast, slow), new Pair(slow, twin)), 0, 3);
        assertArrayEquals(
                new long[] {10, 10, 10}, samples.get(0).get(Operation.LOAD).left());
        assertArrayEquals(
                new long[] {30, 30, 30}, samples.get(0).get(Operation.LOAD).right());
        assertEquals(3, samples.get(0).get(Operation.STORE).ratios().median());
        assertEquals(1, samples.get(1).get(Operation.STORE).ratios().median());
    }

    @Test
    void bothSidesComeFirstAboutAsOftenAndDirectlyAfterEachOther() {
        List<String> log = new ArrayList<>();
        Pair pair = new Pair(new FakeContender("a", 1, log), new FakeContender("b", 1, log));
        new PairedRounds(new Random(7), 1, () -> {}).run(List.of(pair), 0, 200);
        int first = 0;
        for (int i = 0; i < log.size(); i += 2) {
            String[] one = log.get(i).split(" ");
            String[] other = log.get(i + 1).split(" ");
            assertEquals(one[0], other[0]);
            assertNotEquals(one[1], other[1]);
            first += one[1].equals("a") ? 1 : 0;
        }
        assertTrue(first > 160 && first < 240, "a was first in " + first + " of 400 pairs");
    }

    @Test
    void warmUpIsDoneAndNotCountedAndNothingStays() {
        List<String> log = new ArrayList<>();
        FakeContender left = new FakeContender("a", 1, log);
        FakeContender right = new FakeContender("b", 1, log);
        List<Map<Operation, Samples>> samples =
                new PairedRounds(new Random(7), 1, () -> {}).run(List.of(new Pair(left, right)), 5, 2);
        assertEquals(7 * 4, log.size());
        assertEquals(2, samples.get(0).get(Operation.STORE).left().length);
        assertTrue(left.empty() && right.empty());
    }

    @Test
    void aSampleIsTheMeanOfItsBatches() {
        List<String> log = new ArrayList<>();
        FakeContender left = new FakeContender("a", 8, log);
        FakeContender right = new FakeContender("b", 16, log);
        List<Map<Operation, Samples>> samples =
                new PairedRounds(new Random(7), 4, () -> {}).run(List.of(new Pair(left, right)), 1, 2);
        assertEquals(3 * 4 * 4, log.size());
        assertArrayEquals(
                new long[] {16, 16}, samples.get(0).get(Operation.STORE).left());
        assertArrayEquals(
                new long[] {16, 16}, samples.get(0).get(Operation.LOAD).right());
        assertTrue(left.empty() && right.empty());
    }
}
