package io.nixlkv.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a figure depends on, and therefore stands beside it.
 *
 * @param values by name, in the order in which they are printed
 */
record Conditions(Map<String, String> values) {
    private static final Path PROCESS_STATUS = Path.of("/proc/self/status");
    private static final String CPUS = "Cpus_allowed_list:";

    Conditions {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Looks around.
     *
     * @param rules of the run
     * @param storage what is stored in: file system or server, cache state and whatever else matters for it
     * @param cells the results, for the versions of the peers
     */
    static Conditions of(Match.Rules rules, Map<String, String> storage, List<Cell> cells) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        values.putAll(versions(cells));
        values.putAll(storage);
        values.put("cpus_allowed", cpus() + " (" + Runtime.getRuntime().availableProcessors() + ")");
        values.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        values.put("machine", System.getProperty("os.arch"));
        values.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
        values.put("pairs", rules.pairs() + " after " + rules.warmUp() + " of warm-up");
        values.put("seed", Long.toString(rules.seed()));
        return new Conditions(values);
    }

    /** What files are stored in. */
    static Map<String, String> files(Path directory, IoMode mode) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("file_system", fileSystem(directory));
        values.put("direct_io", Boolean.toString(mode == IoMode.DIRECT));
        values.put("sync", "false");
        values.put("cache", mode == IoMode.DIRECT ? "bypassed" : "warm");
        return values;
    }

    /** By family, or {@code not measured} for NIXL if none of its queues worked. */
    private static Map<String, String> versions(List<Cell> cells) {
        Map<String, String> versions = new TreeMap<>();
        versions.put(Entrants.NIXL, "not measured");
        for (Cell cell : cells) {
            for (Comparison comparison : cell.comparisons()) {
                comparison.trial().entries().stream()
                        .filter(entry -> entry.version() != null)
                        .forEach(entry -> versions.put(entry.entrant().family(), entry.version()));
                Stream.ofNullable(comparison.figures())
                        .map(Comparison.Figures::ours)
                        .forEach(ours -> versions.put(ours.family(), ours.version()));
            }
        }
        return versions;
    }

    private static String fileSystem(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            return store.type() + " on " + store.name();
        } catch (IOException e) {
            throw new UncheckedIOException("the file system of " + directory + " cannot be told", e);
        }
    }

    /** The CPUs this process may use, in the kernel's form. */
    static String cpus() {
        try (Stream<String> lines = Files.lines(PROCESS_STATUS)) {
            return lines.filter(line -> line.startsWith(CPUS))
                    .map(line -> line.substring(CPUS.length()).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** All of it in one line. */
    String line() {
        return values.entrySet().stream()
                .map(value -> value.getKey() + ": " + value.getValue())
                .collect(Collectors.joining(" · "));
    }
}
