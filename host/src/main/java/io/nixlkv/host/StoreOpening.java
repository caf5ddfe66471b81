package io.nixlkv.host;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.ModeSettings;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.metrics.MeasuredStore;
import io.nixlkv.host.selection.Selection;
import io.nixlkv.host.store.DynamicStore;
import io.nixlkv.host.store.LengthRule;
import io.nixlkv.host.store.PoolSettings;
import io.nixlkv.host.store.StaticPoolStore;
import io.nixlkv.host.store.StoreSpec;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From a configuration and a selected engine to an open store. */
final class StoreOpening {
    /** A stuck worker is replaced, so as many lanes again may be open for a while. */
    private static final int LANES_PER_WORKER = 2;

    /** Reading a pool's index back, and asking for its slots. */
    private static final Duration POOL_PATIENCE = Duration.ofMinutes(2);

    /** A pool's slots are filled when it is made; bytes a second that storage which answers at all can fill. */
    private static final long SLOW_FILL = 32L << 20;

    /** Parameters that the host understands in every strategy that declares them. */
    private static final String SYNC = "sync";

    private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);

    private StoreOpening() {}

    /** What is opened, known before anything is. */
    private record Plan(
            StoreSpec spec,
            ModeSettings modes,
            StoreCleaning cleaning,
            OpenContext context,
            Optional<PoolSettings> slots) {}

    /** @param memory given back when the store is closed, or not opened after all */
    static KvStore open(HostConfig config, Selection selection, StoreMemory memory, StoreUse use, boolean keeps) {
        StoreSettings settings = config.store();
        StrategyInfo info = selection.strategy().info();
        Plan plan = memory.releasedUnless(() -> plan(config, selection, memory.arena(), use, keeps));
        String what = StoragePlaces.named(info, plan.context().config());
        BoundedOpening.Storage storage =
                plan.spec().isFile() ? BoundedOpening.Storage.FILES : BoundedOpening.Storage.OBJECTS;
        StorageBackend backend = BoundedOpening.within(
                settings.deadline(),
                what,
                storage,
                () -> memory.releasedUnless(
                        () -> selection.strategy().strategy().open(plan.context())),
                late -> memory.releasedAfter(late::close));
        KvStore store = BoundedOpening.within(
                plan.slots()
                        .map(slots -> poolPatience(slots, settings.deadline()))
                        .orElse(use == StoreUse.STORING ? settings.deadline().multipliedBy(2) : settings.deadline()),
                what,
                storage,
                () -> store(plan, backend, memory, settings, use),
                KvStore::close);
        LOG.info(
                "Backend {} was instantiated with engine {} on {}",
                info.name(),
                selection.engine().engine(),
                plan.spec().place());
        return new MeasuredStore(store);
    }

    private static Plan plan(HostConfig config, Selection selection, MemoryArena arena, StoreUse use, boolean keeps) {
        StoreSettings settings = config.store();
        ModeSettings modes = keeps ? config.modes() : config.modes().withoutLocalCpu();
        StrategyInfo info = selection.strategy().info();
        StrategyConfig part = WorkerPart.of(selection.config(), info, modes);
        StoreCleaning cleaning = StoreCleaning.of(config, selection, part, use.longLived());
        StoreSpec spec = spec(settings, selection, part, arena, cleaning.reason());
        explain(settings, modes, info, selection.config());
        StoreLayers.requireEvictable(spec, settings, modes);
        OpenContext context =
                new OpenContext(selection.engine().engine(), part, arena, LANES_PER_WORKER * settings.numWorkers());
        Optional<PoolSettings> slots = settings.poolSize() == 0
                ? Optional.empty()
                : Optional.of(new PoolSettings(
                        settings.poolSize(),
                        modes.slotBytes(),
                        modes.poolLayout(),
                        modes.poolEvicts(),
                        PoolPlace.stateDir(modes, selection, part, spec.isFile(), spec.place())));
        return new Plan(spec, modes, cleaning, context, slots);
    }

    private static KvStore store(
            Plan plan, StorageBackend backend, StoreMemory memory, StoreSettings settings, StoreUse use) {
        if (plan.slots().isPresent()) {
            StaticPoolStore pool = memory.releasedUnless(
                    () -> new StaticPoolStore(plan.spec(), plan.slots().get(), backend, memory.arena()));
            memory.givenBackBy(pool::whenReleased);
            return closedUnless(pool, () -> StoreLayers.over(pool, plan.spec(), plan.modes()));
        }
        DynamicStore dynamic = memory.releasedUnless(() -> new DynamicStore(plan.spec(), backend, memory.arena()));
        memory.givenBackBy(dynamic::whenReleased);
        return closedUnless(
                dynamic,
                () -> StoreLayers.over(
                        dynamic,
                        plan.spec(),
                        settings,
                        plan.modes(),
                        use,
                        plan.cleaning().cleaner(backend)));
    }

    /** What is put in front of {@code store}, which is closed if that fails. */
    private static KvStore closedUnless(KvStore store, Supplier<KvStore> layers) {
        try {
            return layers.get();
        } catch (RuntimeException refused) {
            store.close();
            throw refused;
        }
    }

    private static Duration poolPatience(PoolSettings slots, Duration deadline) {
        Duration patience = POOL_PATIENCE.plusSeconds((long) slots.slots() * slots.slotBytes() / SLOW_FILL);
        return patience.compareTo(deadline) < 0 ? deadline : patience;
    }

    /** Says which settings have no effect here, once. */
    private static void explain(StoreSettings settings, ModeSettings modes, StrategyInfo info, StrategyConfig config) {
        boolean idle = modes.presenceCache() || modes.presenceCacheOnly() || modes.asyncPut();
        if (settings.poolSize() > 0 && idle) {
            LOG.info("presence_cache, presence_cache_only and async_put have no effect in a static pool");
        }
        if (!modes.endpoints().isEmpty() && !WorkerPart.takesEndpoints(info)) {
            LOG.warn("endpoint_list has no effect with backend {}: it has no {}", info.name(), WorkerPart.ENDPOINT);
        } else if (!modes.endpoints().isEmpty() && config.given(WorkerPart.ENDPOINT)) {
            LOG.warn("{} is ignored, since endpoint_list is given", WorkerPart.ENDPOINT);
        }
    }

    /** @param withoutCleaner why the store has no cleaner; empty if it has one */
    private static StoreSpec spec(
            StoreSettings settings,
            Selection selection,
            StrategyConfig config,
            MemoryArena arena,
            String withoutCleaner) {
        StrategyInfo info = selection.strategy().info();
        boolean file = selection.engine().segments().contains(Segment.FILE_SEG);
        Layout layout = Layouts.of(settings, file);
        boolean pads = layout.padsDirectTransfers() && file && settings.useDirectIo() && settings.l1AlignBytes() > 1;
        String place = place(info, config);
        Map<String, Object> facts = new LinkedHashMap<>();
        if (file) {
            facts.put("file_path", place);
            facts.put("use_direct_io", settings.useDirectIo());
        }
        facts.put("layout", layout.id());
        if (settings.hugePages() && arena.kind() == Segment.DRAM_SEG) {
            facts.put("arena_pages", arena instanceof NativeArena ? "2 MiB" : "the application's own");
        }
        if (arena.kind() == Segment.VRAM_SEG) {
            facts.put("buffer_device", "cuda:" + arena.device());
        }
        if (settings.poolSize() == 0 && settings.maxCapacityBytes() == 0) {
            facts.put("usage", "unknown: max_capacity_gb is 0, no limit");
        }
        if (!withoutCleaner.isEmpty()) {
            facts.put("cleaner", withoutCleaner);
        }
        return new StoreSpec(
                info.name(),
                place,
                selection.engine(),
                layout,
                pads ? new LengthRule(settings.l1AlignBytes()) : LengthRule.EXACT,
                settings.numWorkers(),
                Math.max(settings.arenaAlign(), pads ? settings.l1AlignBytes() : 1),
                settings.deadline(),
                settings.writeMode(),
                settings.atomicity(),
                info.parameter(SYNC).isPresent() && config.flag(SYNC),
                settings.exclusive(),
                settings.objectBytes(),
                facts);
    }

    /** The directories that a strategy was given, for people; its name where it has none. */
    static String place(StrategyInfo info, StrategyConfig config) {
        List<String> paths = info.parameters().stream()
                .filter(parameter -> parameter.type() == Parameter.Type.PATHS)
                .flatMap(parameter -> config.paths(parameter.name()).stream())
                .toList();
        return paths.isEmpty() ? info.name() : String.join(", ", paths);
    }
}
