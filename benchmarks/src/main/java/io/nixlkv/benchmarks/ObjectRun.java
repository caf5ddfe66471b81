package io.nixlkv.benchmarks;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.KvHost;
import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.StorageException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Our {@code sdk} engine against native NIXL on object stores, which both reach over the same network.
 *
 * @param host finds the plugin jars; the caller closes it
 * @param peers the program {@code benchmarks/peers}
 * @param version of nixlkv
 * @param stop ends it early
 */
record ObjectRun(KvHost host, Path peers, String version, List<Workload> workloads, Stop stop) {
    private static final double WANTED = 0.9;
    private static final Duration START = Duration.ofMinutes(10);

    /** Everything this program stores has a name that begins with it. */
    private static final String PREFIX = "nixlkv-compare/";

    private static final BigDecimal SWEEPING_ARENA_GIB = new BigDecimal("0.01");

    /** NIXL's number of threads matters, so that the best of few and many is the opponent. */
    private static final List<List<String>> VARIANTS = List.of(List.of(), List.of("num_threads=8"));

    /** How often {@link Progress#begins} is called. */
    int steps(List<ObjectService> services) {
        return services.stream()
                        .mapToInt(service -> 1 + service.variants().size())
                        .sum()
                * workloads.size();
    }

    /**
     * Measures.
     *
     * @param results takes a cell for each operation and batch, as they are measured
     * @throws Stop.StoppedException if the run is to end
     */
    void run(ObjectService service, Match match, Consumer<Cell> results) {
        String opponent = Entrants.NIXL + " " + service.backend();
        Optional<Target> target = Optional.of(Target.of(opponent, WANTED));
        for (Workload workload : workloads) {
            Setting setting = new Setting(workload, IoMode.OBJECTS);
            Map<String, List<Entrant>> opponents = new LinkedHashMap<>();
            opponents.put(
                    opponent,
                    VARIANTS.stream().map(variant -> nixl(service, variant)).toList());
            match.run(
                    service.variants().stream()
                            .map(variant -> ours(service, variant))
                            .toList(),
                    opponents,
                    setting,
                    cell -> results.accept(
                            new Cell(setting, cell.operation(), cell.subject(), cell.comparisons(), target, true)));
        }
    }

    private Entrant ours(ObjectService service, Map<String, String> variant) {
        StringBuilder name = new StringBuilder("nixlkv:sdk");
        variant.forEach((key, value) -> name.append(',').append(key).append('=').append(value));
        return new Entrant(name.toString(), (setting, folder) -> {
            BigDecimal arena =
                    BigDecimal.valueOf(setting.workload().batchBytes()).divide(StoreFactory.GIB);
            KvStore store = open(service, "lmcache", prefix(folder), arena, variant);
            return new StoreContender(name.toString(), version, store, setting);
        });
    }

    private Entrant nixl(ObjectService service, List<String> variant) {
        String name = Entrants.NIXL + ":" + service.backend() + (variant.isEmpty() ? "" : "," + variant.get(0));
        List<String> command = new ArrayList<>(List.of(peers.toString(), "nixl-objects", service.backend()));
        command.addAll(service.parameters());
        command.addAll(variant);
        return new Entrant(name, (setting, folder) -> {
            Sweep sweep = sweep(service, prefix(folder));
            try {
                Contender peer = new PeerContender(
                        new PeerProcess(name, command, service.environment(), folder.resolve("errors.txt")),
                        START,
                        setting,
                        prefix(folder) + "objects");
                return new SweptContender(peer, sweep);
            } catch (RuntimeException e) {
                sweep.close();
                throw e;
            }
        });
    }

    private static String prefix(Path folder) {
        return PREFIX + folder.getFileName() + "/";
    }

    private KvStore open(
            ObjectService service, String layout, String prefix, BigDecimal arenaGib, Map<String, String> variant) {
        try {
            return host.open(HostConfig.parse(
                    service.config(layout, prefix, arenaGib.toPlainString(), variant), "benchmark", Map.of()));
        } catch (StorageException | ConfigException e) {
            throw new ContenderException("nixlkv:sdk could not be opened: " + e.getMessage(), e);
        }
    }

    private Sweep sweep(ObjectService service, String prefix) {
        return new Sweep(open(service, "raw", prefix, SWEEPING_ARENA_GIB, Map.of()));
    }

    /** Removes what a side that failed or was stopped left, in this run or an earlier one. @return how many objects */
    int clean(ObjectService service) {
        try (Sweep all = sweep(service, PREFIX)) {
            return all.everything();
        }
    }

    /** What stands beside the figures. */
    Map<String, String> conditions(List<ObjectService> services, Optional<CpuSplit> cpus) {
        Map<String, String> values = new LinkedHashMap<>();
        for (ObjectService service : services) {
            String name = service.backend().toLowerCase(java.util.Locale.ROOT);
            values.put(name + "_server", service.product());
            values.put(name + "_endpoint", service.endpoint());
        }
        values.put("network", cpus.isPresent() ? "loopback" : "as given");
        values.put("request_size", "one object");
        values.put("cache", "warm");
        values.put(
                "server_cpu",
                cpus.map(split -> Integer.toString(split.server())).orElse("not pinned"));
        return values;
    }
}
