package io.nixlkv.cli;

import io.nixlkv.api.KvStore;
import io.nixlkv.cli.bench.BenchPlan;
import io.nixlkv.host.config.HostConfig;

/**
 * The room that a benchmark needs in a store with a limit. Its objects stay until its end, as those of {@code lmcache bench l2} do, so
 * one that does not fit would fail half-way, or have the objects of others evicted.
 */
final class BenchSpace {
    private static final String SMALLER =
            "; make --num-keys, --in-flight, --data-size-kb, --rounds or --warmup-rounds smaller";

    private final KvStore store;
    private final HostConfig config;
    private final BenchPlan plan;

    private BenchSpace(KvStore store, HostConfig config, BenchPlan plan) {
        this.store = store;
        this.config = config;
        this.plan = plan;
    }

    /** @throws UsageException if what the plan writes does not fit beside what is there; nothing is written before */
    static void require(KvStore store, HostConfig config, BenchPlan plan) {
        BenchSpace space = new BenchSpace(store, config, plan);
        if (config.store().poolSize() > 0) {
            space.requireSlots();
        } else if (config.store().maxCapacityBytes() > 0) {
            space.requireBytes();
        }
    }

    private void requireSlots() {
        long bytes = ArenaNeed.leased(config.store(), plan.objectBytes());
        if (bytes > config.modes().slotBytes()) {
            throw new UsageException("an object of " + bytes + " bytes does not fit a slot of slot_bytes = "
                    + config.modes().slotBytes() + "; make --data-size-kb smaller");
        }
        FreeSlots free = FreeSlots.of(store.status());
        if (plan.allObjects() > free.count()) {
            throw new UsageException("bench keeps all its " + plan.allObjects() + " objects until it ends, and "
                    + free.count() + " of " + free.total()
                    + " slots are free; make --num-keys, --in-flight, --rounds or --warmup-rounds smaller");
        }
    }

    private void requireBytes() {
        StoreUsage usage = StoreUsage.of(store, config.store().maxCapacityBytes(), () -> false);
        if (!usage.reason().isEmpty()) {
            return; // what cannot be listed cannot be evicted either
        }
        long free = Math.max(0, usage.unevicted(config.modes()) - usage.bytes());
        long needed = plan.allObjects() * ArenaNeed.leased(config.store(), plan.objectBytes());
        if (needed > free) {
            throw new UsageException("bench keeps all its " + plan.allObjects() + " objects, " + needed
                    + " bytes, until it ends, and " + free + " bytes are free below "
                    + (config.modes().evicts() ? "the trigger_watermark of max_capacity_gb" : "max_capacity_gb")
                    + SMALLER);
        }
    }
}
