package io.nixlkv.spi.tck;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Query, delete and list. */
interface CatalogueRules extends UnderTest {
    @Test
    default void queryTellsLengths() {
        store().store("q/1", new Content(1, 1));
        store().store("q/2", new Content(2, 70_001));
        Outcomes found = store().transfer(Op.QUERY)
                .name("q/1")
                .name("q/none")
                .name("q/2")
                .run()
                .item(0, Rule.QUERY, Status.DONE)
                .item(1, Rule.QUERY, Status.MISSING)
                .item(2, Rule.QUERY, Status.DONE);
        told(found.get(0), 1);
        told(found.get(2), 70_001);
    }

    private void told(Outcome outcome, long length) {
        boolean right =
                outcome.storedLength() == length || !store().has(Feature.STORED_LENGTH) && outcome.storedLength() == -1;
        Rule.QUERY.check(right, () -> "stored length " + outcome.storedLength() + " instead of " + length);
    }

    @Test
    default void deleteRemoves() {
        Content content = new Content(1, 5000);
        store().store("d/1", content);
        store().store("d/2", content);
        Transfer delete = store().transfer(Op.DELETE).name("d/1").name("d/none").name("d");
        if (!store().has(Feature.DELETE)) {
            delete.run().all(Rule.UNDECLARED, Status.UNSUPPORTED);
            store().holds(Rule.UNDECLARED, "d/1", content);
            return;
        }
        Outcomes ended = delete.run();
        ended.item(0, Rule.DELETE, Status.DONE).item(1, Rule.DELETE, Status.MISSING);
        Rule.DELETE.check(ended.status(2) != Status.DONE, () -> "a directory was deleted as if it were an object");
        store().absent(Rule.DELETE, "d/1", 5000);
        store().holds(Rule.DELETE, "d/2", content);
        Content other = new Content(2, 300);
        store().store("d/1", other);
        store().holds(Rule.DELETE, "d/1", other);
    }

    @Test
    default void listVisitsCommittedObjects() {
        store().store("one", new Content(1, 10));
        store().store("dir/two", new Content(2, 20));
        store().store("dir/three", new Content(3, 30));
        store().store("dirty", new Content(4, 40));
        if (!store().has(Feature.LIST)) {
            StorageException refused = Assertions.assertThrows(
                    StorageException.class, () -> store().list(""), "rule UNDECLARED: list() must throw");
            Rule.UNDECLARED.check(refused.status() == Status.UNSUPPORTED, () -> "list() threw " + refused.status());
            return;
        }
        listed("", Map.of("one", 10L, "dir/two", 20L, "dir/three", 30L, "dirty", 40L));
        listed("dir/", Map.of("dir/two", 20L, "dir/three", 30L));
        listed("dir", Map.of("dir/two", 20L, "dir/three", 30L, "dirty", 40L));
        listed("dir/t", Map.of("dir/two", 20L, "dir/three", 30L));
        listed("dir/two", Map.of("dir/two", 20L));
        listed("none", Map.of());
        listed("none/below", Map.of());
    }

    private void listed(String prefix, Map<String, Long> expected) {
        Map<String, Long> found = store().list(prefix);
        boolean right = store().has(Feature.STORED_LENGTH)
                ? found.equals(expected)
                : found.keySet().equals(expected.keySet());
        Rule.LIST.check(right, () -> "prefix \"" + prefix + "\": expected " + expected + " but got " + found);
    }

    @Test
    default void listRefusesPrefixesThatEscapeOrFindsNothing() {
        if (!store().has(Feature.LIST)) {
            return;
        }
        store().store("one", new Content(1, 10));
        for (String prefix : Set.of("../", "/", "a/../../")) {
            try {
                Map<String, Long> found = store().list(prefix);
                Rule.NAMES.check(found.isEmpty(), () -> "prefix \"" + prefix + "\" lists " + found);
            } catch (StorageException refused) {
                Rule.NAMES.check(refused.status() == Status.INVALID, () -> "list() threw " + refused);
            }
        }
    }

    @Test
    default void listStopsWhenTold() {
        if (!store().has(Feature.LIST)) {
            return;
        }
        Transfer write = store().transfer(Op.WRITE);
        for (int i = 0; i < 20; i++) {
            write.put("stop/" + i, new Content(i, 100));
        }
        write.run().all(Rule.ROUND_TRIP, Status.DONE);
        AtomicInteger visits = new AtomicInteger();
        store().backend()
                .list(
                        0,
                        "",
                        System.nanoTime() + Transfer.PATIENCE,
                        (name, length, lastUse) -> visits.incrementAndGet() < 3);
        Rule.LIST.check(visits.get() == 3, () -> "visited " + visits + " objects after the visitor said stop at 3");
    }

    @Test
    default void listEndsAtItsDeadline() {
        if (!store().has(Feature.LIST)) {
            return;
        }
        store().store("one", new Content(1, 10));
        StorageException late = Assertions.assertThrows(
                StorageException.class,
                () -> store().backend().list(0, "", System.nanoTime() - 1, (name, length, lastUse) -> true),
                "rule DEADLINE: list() must end at its deadline");
        Rule.DEADLINE.check(late.status() == Status.TIMED_OUT, () -> "list() threw " + late.status());
    }

    @Test
    default void anEmptyStoreListsNothing() {
        if (store().has(Feature.LIST)) {
            listed("", Map.of());
        }
    }
}
