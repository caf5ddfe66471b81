package io.nixlkv.benchmarks;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
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

/**
 * Our {@code sdk} engine against native NIXL on object stores, which both reach over the same network.
 *
 * @param host finds the plugin jars; the caller closes it
 * @param peers the program {@code benchmarks/peers}
 * @param version of nixlkv
 */
record ObjectRun(KvHost host, Path peers, String version, List<Workload> workloads) {
    private static final double WANTED = 0.9;
    private static final Duration START = Duration.ofMinutes(10);

    /** Everything this program stores has a name that begins with it. */
    private static final String PREFIX = "nixlkv-compare/";

    private static final BigDecimal CLEANING_ARENA_GIB = new BigDecimal("0.01");

    /** NIXL's number of threads matters, so that the best of few and many is the opponent. */
    private static final List<List<String>> VARIANTS = List.of(List.of(), List.of("num_threads=8"));

    /** How often {@link Progress#begins} is called. */
    int steps(int services) {
        return services * workloads.size() * 2;
    }

    /** Measures. @return a cell for each operation and batch */
    List<Cell> run(ObjectService service, Match match) {
        String opponent = Entrants.NIXL + " " + service.backend();
        List<Cell> cells = new ArrayList<>();
        for (Workload workload : workloads) {
            Setting setting = new Setting(workload, IoMode.OBJECTS);
            Map<String, List<Entrant>> opponents = new LinkedHashMap<>();
            opponents.put(
                    opponent,
                    VARIANTS.stream().map(variant -> nixl(service, variant)).toList());
            for (Cell cell : match.run(List.of(ours(service)), opponents, setting)) {
                cells.add(new Cell(
                        setting,
                        cell.operation(),
                        cell.subject(),
                        cell.comparisons(),
                        Optional.of(Target.of(opponent, WANTED)),
                        true));
            }
        }
        return cells;
    }

    private Entrant ours(ObjectService service) {
        String name = "nixlkv:sdk";
        return new Entrant(name, (setting, folder) -> {
            BigDecimal arena =
                    BigDecimal.valueOf(setting.workload().batchBytes()).divide(StoreFactory.GIB);
            KvStore store = open(service, "lmcache", prefix(folder), arena);
            return new StoreContender(name, version, store, setting);
        });
    }

    private Entrant nixl(ObjectService service, List<String> variant) {
        String name = Entrants.NIXL + ":" + service.backend() + (variant.isEmpty() ? "" : "," + variant.get(0));
        List<String> command = new ArrayList<>(List.of(peers.toString(), "nixl-objects", service.backend()));
        command.addAll(service.parameters());
        command.addAll(variant);
        return new Entrant(
                name,
                (setting, folder) -> new PeerContender(
                        new PeerProcess(name, command, service.environment(), folder.resolve("errors.txt")),
                        START,
                        setting,
                        prefix(folder) + "objects"));
    }

    private static String prefix(Path folder) {
        return PREFIX + folder.getFileName() + "/";
    }

    private KvStore open(ObjectService service, String layout, String prefix, BigDecimal arenaGib) {
        try {
            return host.open(
                    HostConfig.parse(service.config(layout, prefix, arenaGib.toPlainString()), "benchmark", Map.of()));
        } catch (StorageException | ConfigException e) {
            throw new ContenderException("nixlkv:sdk could not be opened: " + e.getMessage(), e);
        }
    }

    /** Removes what all sides left; native NIXL cannot. @return how many objects */
    int clean(ObjectService service) {
        List<KvKey> left = new ArrayList<>();
        try (KvStore store = open(service, "raw", PREFIX, CLEANING_ARENA_GIB)) {
            store.list("", (key, length, lastUseMillis) -> left.add(key));
            for (int from = 0; from < left.size(); from += 1000) {
                store.delete(left.subList(from, Math.min(left.size(), from + 1000)), CallOptions.DEFAULT);
            }
        }
        return left.size();
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
