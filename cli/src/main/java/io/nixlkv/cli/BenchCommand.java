package io.nixlkv.cli;

import io.nixlkv.api.KvStore;
import io.nixlkv.cli.bench.BenchPlan;
import io.nixlkv.cli.bench.BenchReport;
import io.nixlkv.cli.bench.BenchRun;
import io.nixlkv.cli.bench.OperationResult;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.layout.SampleKeys;
import io.nixlkv.host.selection.Selection;
import io.nixlkv.spi.Feature;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code nixlkv bench}: stores, looks up, loads and verifies objects, and shows how fast that was. */
@Command(
        name = "bench",
        description = {
            "Stores, looks up, loads and verifies objects, and prints the figures of lmcache bench l2 (MiB/s).",
            "Without --config it works in a fresh temporary directory. What it wrote is removed at the end, if the engine can delete.",
            "As there, the objects of all rounds are kept until the end: (rounds + warm-up rounds) x in-flight x num-keys"
                    + " objects, 1536 of 256 KiB by default, 384 MiB. A store with a limit that has no room for them beside"
                    + " what it holds is refused; nothing is evicted."
        })
final class BenchCommand extends StoreCommand {
    @Mixin
    private BenchOptions options = new BenchOptions();

    BenchCommand(NixlkvCommand root) {
        super(root);
    }

    @Override
    void prepare() {
        options.check(l1AlignBytes());
    }

    @Override
    int work(Session session, HostConfig given) {
        try (BenchPlace place = BenchPlace.of(session, given, configGiven(), options.keep())) {
            return measure(session, place, place.config());
        }
    }

    private int measure(Session session, BenchPlace place, HostConfig config) {
        BenchPlan plan = options.plan();
        Selection selection = session.host().select(config);
        if (verbose()) {
            selection.reasons().forEach(result()::message);
        }
        HostConfig sized = ArenaNeed.sized(config, plan.keysPerRound(), plan.objectBytes());
        MemoryCheck.require(sized.store().arenaBytes(), "make --num-keys, --in-flight or --data-size-kb smaller");
        sayOtherMemory(config, sized);
        int leased = (int) ArenaNeed.leased(config.store(), plan.objectBytes());
        requireSpace(session, config, plan);
        boolean removes = place.removesObjects() && removable(config, selection);
        try (KvStore store = session.host().open(sized);
                BenchRun run = new BenchRun(store, new SampleKeys(config.store()), plan, leased, session::stopping)) {
            if (place.removesObjects() && !removes) {
                result().message("engine " + selection.engine().engine() + " of "
                        + selection.strategy().info().name()
                        + " cannot delete: what bench writes stays until the store's own rules remove it");
            }
            List<OperationResult> results;
            try (Progress progress = Progress.of(around(), "bench", 3L * plan.allRounds())) {
                results = run.run(progress::step);
            } finally {
                if (removes) {
                    int left = run.removeWritten();
                    if (left > 0) {
                        result().message(left + " objects that bench wrote could not be removed");
                    }
                }
            }
            Map<String, Object> setting = BenchSetting.of(
                    selection,
                    store.status(),
                    config,
                    removes || !place.removesObjects() ? place.fate(run.alreadyThere()) : "kept");
            return answer(new BenchReport(plan, results, setting, run.mismatched()), run, session);
        }
    }

    /** Asked of a store of its own, which is small, before the one that is measured is opened and may write. */
    private static void requireSpace(Session session, HostConfig config, BenchPlan plan) {
        if (config.store().poolSize() > 0 || config.store().maxCapacityBytes() > 0) {
            try (KvStore store = openSmall(session, config)) {
                BenchSpace.require(store, config, plan);
            }
        }
    }

    private void sayOtherMemory(HostConfig given, HostConfig sized) {
        long asked = given.store().arenaBytes();
        if (l1SizeGiven() && asked < sized.store().arenaBytes()) {
            result().message("--l1-size-gb gives " + asked + " bytes, and the objects of one round need "
                    + sized.store().arenaBytes() + "; these are taken");
        }
    }

    /** Objects in the slots of a pool are removed in its index. */
    private static boolean removable(HostConfig config, Selection selection) {
        return config.store().poolSize() > 0 || selection.engine().can().has(Feature.DELETE);
    }

    private int answer(BenchReport report, BenchRun run, Session session) {
        run.failures().forEach(result()::message);
        if (run.alreadyThere() > 0) {
            result().message(run.alreadyThere()
                    + " objects were there already and were not written; they are not counted. Remove them (nixlkv ls"
                    + " bench-model tells them), or run bench on another directory");
        }
        if (session.stopping()) {
            return ExitCode.FAILED;
        }
        boolean clean = report.clean() && !run.failed(); // what fails in a warm-up round is not in the report
        result().print(report::document, clean ? report::print : report::printCounts);
        if (!clean) {
            result().message("bench failed: not every object was stored, found, loaded and verified");
        }
        return clean ? ExitCode.OK : ExitCode.FAILED;
    }
}
