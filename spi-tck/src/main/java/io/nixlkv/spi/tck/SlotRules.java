package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.SLOTS;
import static io.nixlkv.spi.tck.Rule.UNDECLARED;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Static pools. Each test of an engine without them asserts that a pool is refused. */
interface SlotRules extends UnderTest {
    int COUNT = 16;
    int SLOT_BYTES = 64 << 10;

    @ParameterizedTest
    @EnumSource
    default void slotsAreIndependent(PoolLayout layout) {
        if (refusesPools(layout)) {
            return;
        }
        try (SlotPool pool = store().backend().openPool("pool", COUNT, SLOT_BYTES, layout)) {
            SLOTS.check(
                    pool.count() == COUNT && pool.slotBytes() == SLOT_BYTES,
                    () -> "asked for " + COUNT + " × " + SLOT_BYTES + ", got " + pool.count() + " × "
                            + pool.slotBytes());
            fill(store(), pool);
            reads(store(), pool);
            Content shorter = new Content(99, 777);
            store().transfer(Op.WRITE)
                    .pool(pool)
                    .shift(1)
                    .putSlot(3, shorter)
                    .run()
                    .all(SLOTS, Status.DONE);
            store().transfer(Op.READ)
                    .pool(pool)
                    .getSlot(2, SLOT_BYTES)
                    .getSlot(3, shorter.length())
                    .getSlot(4, SLOT_BYTES)
                    .run()
                    .holds(0, SLOTS, content(2))
                    .holds(1, SLOTS, shorter)
                    .holds(2, SLOTS, content(4));
            if (store().has(Feature.LIST)) {
                Rule.LIST.check(store().list("").isEmpty(), () -> "list() shows a pool: " + store().list(""));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    default void poolsAreIndependentOfEachOtherAndOfObjects(PoolLayout layout) {
        if (refusesPools(layout)) {
            return;
        }
        try (SlotPool one = store().backend().openPool("one", COUNT, SLOT_BYTES, layout);
                SlotPool two = store().backend().openPool("two-2_b", 3, 4096, layout)) {
            Content object = new Content(50, 5000);
            Content small = new Content(51, 4096);
            fill(store(), one);
            store().store("one", object);
            store().transfer(Op.WRITE).pool(two).putSlot(0, small).run().all(SLOTS, Status.DONE);
            reads(store(), one);
            store().transfer(Op.READ).pool(two).getSlot(0, 4096).run().holds(0, SLOTS, small);
            store().holds(SLOTS, "one", object);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void slotsKeepTheirContents(PoolLayout layout) {
        if (refusesPools(layout)) {
            return;
        }
        ContractStore first = store().again();
        SlotPool pool = first.backend().openPool("kept", COUNT, SLOT_BYTES, layout);
        fill(first, pool);
        pool.close();
        pool.close();
        if (!store().setup().persistent()) {
            first.close();
            return;
        }
        try (SlotPool again = first.backend().openPool("kept", COUNT, SLOT_BYTES, layout)) {
            reads(first, again);
        }
        first.close();
        try (ContractStore second = store().again();
                SlotPool again = second.backend().openPool("kept", COUNT, SLOT_BYTES, layout)) {
            reads(second, again);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void badPoolsAreRefused(PoolLayout layout) {
        if (refusesPools(layout)) {
            return;
        }
        invalid("no slots", () -> store().backend().openPool("p", 0, SLOT_BYTES, layout));
        invalid("negative slots", () -> store().backend().openPool("p", -1, SLOT_BYTES, layout));
        invalid("no bytes", () -> store().backend().openPool("p", COUNT, 0, layout));
        invalid("negative bytes", () -> store().backend().openPool("p", COUNT, -4096, layout));
        for (String name : List.of("", "../p", "a/b", ".", "..", "a b", "a\0b")) {
            invalid("the name \"" + name + "\"", () -> store().backend().openPool(name, COUNT, SLOT_BYTES, layout));
        }
        if (store().has(Feature.LIST)) {
            Rule.LIST.check(store().list("").isEmpty(), () -> "a refused pool left " + store().list(""));
        }
    }

    private void invalid(String what, Executable open) {
        StorageException refused = Assertions.assertThrows(
                StorageException.class, open, "rule SLOTS: a pool with " + what + " must be refused");
        SLOTS.check(refused.status() == Status.INVALID, () -> "a pool with " + what + " ends as " + refused.status());
    }

    private boolean refusesPools(PoolLayout layout) {
        if (store().has(layout == PoolLayout.SLAB ? Feature.SLOTS : Feature.SLOT_FILES)) {
            return false;
        }
        StorageException refused = Assertions.assertThrows(
                StorageException.class,
                () -> store().backend().openPool("pool", COUNT, SLOT_BYTES, layout),
                "rule UNDECLARED: openPool() must throw");
        UNDECLARED.check(refused.status() == Status.UNSUPPORTED, () -> "openPool() threw " + refused.status());
        return true;
    }

    private static Content content(int slot) {
        return new Content(slot + 1, SLOT_BYTES);
    }

    private static void fill(ContractStore store, SlotPool pool) {
        Transfer write = store.transfer(Op.WRITE).pool(pool);
        for (int slot = 0; slot < COUNT; slot++) {
            write.putSlot(slot, content(slot));
        }
        write.run().all(SLOTS, Status.DONE);
    }

    private static void reads(ContractStore store, SlotPool pool) {
        Transfer read = store.transfer(Op.READ).pool(pool);
        for (int slot = COUNT - 1; slot >= 0; slot--) {
            read.getSlot(slot, SLOT_BYTES);
        }
        Outcomes found = read.run();
        for (int slot = 0; slot < COUNT; slot++) {
            found.holds(COUNT - 1 - slot, SLOTS, content(slot));
        }
    }
}
