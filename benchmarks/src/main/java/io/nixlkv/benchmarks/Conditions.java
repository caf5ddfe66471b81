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

    /** Looks around. @param rules of the run @param results of it, for the version of NIXL */
    static Conditions of(Match.Rules rules, IoMode mode, List<Result> results) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        values.put("nixl", nixlVersion(results));
        values.put("file_system", fileSystem(rules.directory()));
        values.put("direct_io", Boolean.toString(mode == IoMode.DIRECT));
        values.put("sync", "false");
        values.put("cache", "warm");
        values.put("cpus_allowed", cpus() + " (" + Runtime.getRuntime().availableProcessors() + ")");
        values.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        values.put("machine", System.getProperty("os.arch"));
        values.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
        values.put("pairs", rules.pairs() + " after " + rules.warmUp() + " of warm-up");
        values.put("seed", Long.toString(rules.seed()));
        return new Conditions(values);
    }

    private static String nixlVersion(List<Result> results) {
        return results.stream()
                .flatMap(result -> Stream.concat(
                        result.trial().entries().stream()
                                .filter(entry -> entry.version() != null
                                        && entry.entrant().family().equals(Entrants.NIXL))
                                .map(Trial.Entry::version),
                        Stream.ofNullable(result.figures())
                                .map(Result.Figures::ours)
                                .filter(ours -> ours.name().startsWith(Entrants.NIXL + ":"))
                                .map(Contender.Identity::version)))
                .findFirst()
                .orElse("not measured");
    }

    private static String fileSystem(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            return store.type() + " on " + store.name();
        } catch (IOException e) {
            throw new UncheckedIOException("the file system of " + directory + " cannot be told", e);
        }
    }

    private static String cpus() {
        try (Stream<String> lines = Files.lines(PROCESS_STATUS)) {
            return lines.filter(line -> line.startsWith(CPUS))
                    .map(line -> line.substring(CPUS.length()).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
