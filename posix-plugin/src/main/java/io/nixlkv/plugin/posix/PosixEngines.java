package io.nixlkv.plugin.posix;

import io.nixlkv.nativeio.FileTransfers.Kind;
import io.nixlkv.plugin.support.file.NativeEngines;
import io.nixlkv.plugin.support.file.NativeSettings;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.spi.StrategyConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The engines of POSIX, best first. */
final class PosixEngines {
    /** The pure Java engine. */
    static final String NIO = "nio";

    /** Native NIXL's own POSIX plugin. */
    static final String NIXL = NixlSettings.ENGINE;

    /** Measured order for transfers through the page cache, the same on ext4 and tmpfs; see docs/benchmarks.md. */
    private static final List<Kind> BUFFERED = List.of(Kind.THREADS, Kind.URING, Kind.AIO, Kind.POSIX_AIO);

    /** Measured order for transfers around the page cache. */
    private static final List<Kind> DIRECT = List.of(Kind.URING, Kind.AIO, Kind.THREADS, Kind.POSIX_AIO);

    private static final Map<String, Kind> QUEUES =
            Map.of("use_uring", Kind.URING, "use_aio", Kind.AIO, "use_posix_aio", Kind.POSIX_AIO);

    private static final int DEFAULT_POOL = 65536;
    private static final int DEFAULT_QUEUE = 256;

    private PosixEngines() {}

    /** Names of all engines: the one that {@code use_uring} and the like ask for, then the others, best first. */
    static List<String> names(StrategyConfig config) {
        List<String> names = new ArrayList<>();
        PosixParameters.chosenQueues(config).forEach(queue -> names.add(nameOf(QUEUES.get(queue))));
        // last, since whatever NIXL serves the others serve too
        Stream.concat(
                        (config.flag("use_direct_io") ? DIRECT : BUFFERED)
                                .stream().map(PosixEngines::nameOf),
                        Stream.of(NIO, NIXL))
                .filter(name -> !names.contains(name))
                .forEach(names::add);
        return names;
    }

    /** The queue parameter that asks for another engine than {@code engine}; empty if none does. */
    static Optional<String> unmet(StrategyConfig config, String engine) {
        if (engine.equals(NIXL)) {
            // NIXL has these queues itself
            return Optional.empty();
        }
        return PosixParameters.chosenQueues(config).stream()
                .filter(queue -> !nameOf(QUEUES.get(queue)).equals(engine))
                .findFirst();
    }

    /** Why the engine that {@code queue} asks for cannot be used; empty if it can. */
    static Optional<String> problemOfQueue(String queue) {
        return NativeEngines.problem(QUEUES.get(queue));
    }

    /** Why {@code engine} cannot be used in this process; empty if it can. */
    static Optional<String> problem(String engine) {
        if (engine.equals(NIXL)) {
            return NixlEngine.problem(PosixStrategy.NAME);
        }
        return kind(engine).flatMap(NativeEngines::problem);
    }

    /** The native engine of that name; empty for others. */
    static Optional<Kind> kind(String engine) {
        return Stream.of(Kind.values())
                .filter(kind -> nameOf(kind).equals(engine))
                .findFirst();
    }

    static NativeSettings settings(StrategyConfig config, Kind kind) {
        int pool = orDefault(config.number("ios_pool_size"), DEFAULT_POOL);
        int queue = orDefault(config.number("kernel_queue_size"), DEFAULT_QUEUE);
        return new NativeSettings(kind, (int) config.number("submitters"), Math.min(pool, queue));
    }

    /** NIXL takes the queue and its sizes under the same names; of its slots one lane never uses more than there are. */
    static NixlSettings nixlSettings(StrategyConfig config) {
        int pool = orDefault(config.number("ios_pool_size"), DEFAULT_POOL);
        Map<String, String> parameters = new HashMap<>();
        parameters.put("ios_pool_size", Integer.toString(pool));
        parameters.put(
                "kernel_queue_size", Integer.toString(orDefault(config.number("kernel_queue_size"), DEFAULT_QUEUE)));
        PosixParameters.chosenQueues(config).forEach(queue -> parameters.put(queue, "true"));
        return NixlSettings.of(PosixStrategy.NAME, parameters, pool);
    }

    private static int orDefault(long value, int byDefault) {
        return value == 0 ? byDefault : (int) value;
    }

    private static String nameOf(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
