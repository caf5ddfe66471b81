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
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** @throws StorageException INVALID if a segment is not as {@link MemoryArena} says */
    static MemoryArena checked(MemoryArena arena) {
        for (int i = 0; i < arena.segments(); i++) {
            boolean fits = arena.segment(i).isDirect()
                    && arena.segment(i).alignmentOffset(0, MemoryArena.ALIGNMENT) == 0
                    && arena.segment(i).capacity() <= 1 << 30;
            if (!fits) {
                throw new StorageException(
                        Status.INVALID,
                        "arena segment " + i + " must be a direct buffer of at most 1 GiB that starts at a multiple of "
                                + MemoryArena.ALIGNMENT + " bytes");
            }
        }
        return arena;
    }

    static KvStore open(HostConfig config, Selection selection, MemoryArena arena, boolean longLived, boolean keeps) {
        StoreSettings settings = config.store();
        ModeSettings modes = keeps ? config.modes() : config.modes().withoutLocalCpu();
        StrategyInfo info = selection.strategy().info();
        StrategyConfig part = WorkerPart.of(selection.config(), info, modes);
        StoreCleaning cleaning = StoreCleaning.of(config, selection, part, longLived);
        StoreSpec spec = spec(settings, selection, part, arena, cleaning.reason());
        explain(settings, modes, info, selection.config());
        StoreLayers.requireEvictable(spec, settings, modes);
        OpenContext context =
                new OpenContext(selection.engine().engine(), part, arena, LANES_PER_WORKER * settings.numWorkers());
        String what = info.name() + " (" + spec.place() + ")";
        boolean pool = settings.poolSize() > 0;
        PoolSettings slots = pool
                ? new PoolSettings(
                        settings.poolSize(),
                        modes.slotBytes(),
                        modes.poolLayout(),
                        modes.poolEvicts(),
                        PoolPlace.stateDir(modes, selection, part, spec.isFile(), spec.place()))
                : null;
        StorageBackend backend = BoundedOpening.within(
                settings.deadline(), what, () -> selection.strategy().strategy().open(context), StorageBackend::close);
        KvStore store = BoundedOpening.within(
                pool ? poolPatience(slots, settings.deadline()) : settings.deadline(),
                what,
                () -> pool
                        ? StoreLayers.over(new StaticPoolStore(spec, slots, backend, arena), spec, modes)
                        : StoreLayers.over(
                                new DynamicStore(spec, backend, arena),
                                spec,
                                settings,
                                modes,
                                longLived,
                                cleaning.cleaner(backend)),
                KvStore::close);
        LOG.info(
                "Backend {} was instantiated with engine {} on {}",
                info.name(),
                selection.engine().engine(),
                spec.place());
        return new MeasuredStore(store);
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
        if (settings.hugePages()) {
            facts.put("arena_pages", arena instanceof NativeArena ? "2 MiB" : "the application's own");
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
