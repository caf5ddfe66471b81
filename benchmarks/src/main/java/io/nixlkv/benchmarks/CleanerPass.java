package io.nixlkv.benchmarks;

import io.nixlkv.api.PageKey;
import io.nixlkv.host.cleaner.CleaningPass;
import io.nixlkv.host.cleaner.CleaningReport;
import io.nixlkv.host.cleaner.CleaningTask;
import io.nixlkv.host.cleaner.CleaningWatch;
import io.nixlkv.host.cleaner.Ownership;
import io.nixlkv.host.config.CleanerSettings;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.layout.NameBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Time of a cleaner's pass against {@code find -type f -printf} on the same tree. The pass looks at every file, groups the pages
 * and chooses a quarter of them; what it would delete stays, since {@code find} deletes nothing either.
 */
public final class CleanerPass {
    private static final int WARM_UP = 5;
    private static final double CAPACITY_SHARE = 1.07;

    private CleanerPass() {}

    /** @param arguments a directory, which is empty or from an earlier run, number of files, number of pairs */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of(arguments[0])).toRealPath();
        int files = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200_000;
        int pairs = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 21;
        StoreSettings store = HostConfig.parse(
                        "[store]\nlayout = \"hicache\"\nmodel = \"org/model\"", "benchmark", Map.of())
                .store();
        make(directory, files, store);
        long capacity = (long) (files * 4096L * CAPACITY_SHARE);
        CleaningTask task = new CleaningTask(
                List.of(directory),
                Ownership.of(store, false),
                new CleanerSettings(Optional.empty(), 80, 70, capacity),
                true,
                false,
                CleaningTask.FILES_IN_BACKGROUND);
        double[] ratios = new double[pairs];
        List<Double> passes = new ArrayList<>();
        List<Double> finds = new ArrayList<>();
        double[] same = new double[pairs];
        Random random = new Random(1);
        for (int pair = -WARM_UP; pair < pairs; pair++) {
            boolean first = random.nextBoolean();
            double before = first ? 0 : find(directory);
            double pass = pass(task, files);
            double find = first ? find(directory) : before;
            double again = find(directory);
            if (pair >= 0) {
                ratios[pair] = pass / find;
                same[pair] = again / find;
                passes.add(pass);
                finds.add(find);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d files, %d pairs after %d of warm-up: pass %.0f ms, find %.0f ms, ratio %.2f (quartiles %.2f to %.2f),"
                        + " find with itself %.2f (%.2f to %.2f)%n",
                files,
                pairs,
                WARM_UP,
                quantile(passes, 0.5),
                quantile(finds, 0.5),
                quantile(ratios, 0.5),
                quantile(ratios, 0.25),
                quantile(ratios, 0.75),
                quantile(same, 0.5),
                quantile(same, 0.25),
                quantile(same, 0.75));
    }

    private static void make(Path directory, int files, StoreSettings store) throws IOException {
        try (Stream<Path> there = Files.walk(directory)) {
            long count = there.filter(Files::isRegularFile).count();
            if (count == files) {
                return;
            } else if (count > 0) {
                throw new IllegalArgumentException(directory + " has " + count + " files; give an empty directory");
            }
        }
        NameBuffer name = new NameBuffer();
        var layout = Layouts.of(store);
        for (int file = 0; file < files; file++) {
            String hash = String.format("%064x", 0x9e3779b97f4a7c15L * (file / 2 + 1));
            layout.name(new PageKey(hash, "org/model", 0, 8, file % 2 == 0 ? "k" : "v"), name);
            Path path = directory.resolve(name.toString());
            Files.createDirectories(path.getParent());
            Files.write(path, new byte[1]);
        }
    }

    private static double pass(CleaningTask task, int files) throws IOException {
        CleaningReport report = new CleaningPass(task, new CleaningWatch() {}).run();
        if (report.surveyed() != files || report.deleted() < files / 5) {
            throw new IllegalStateException(report.toString());
        }
        return report.took().toNanos() / 1e6;
    }

    private static double find(Path directory) throws IOException, InterruptedException {
        long start = System.nanoTime();
        int exit = new ProcessBuilder("find", directory.toString(), "-type", "f", "-printf", "%s %A@ %T@ %p\\n")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("find failed");
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private static double quantile(List<Double> values, double share) {
        return quantile(values.stream().mapToDouble(Double::doubleValue).toArray(), share);
    }

    private static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.round((sorted.length - 1) * share)];
    }
}
