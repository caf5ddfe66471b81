package io.nixlkv.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * {@code nixlkv bench} against {@code lmcache bench l2} with adapter {@code fs_native}: whole programs that take turns, each of
 * them asked for the same rounds, judged by the throughputs they print. Both verify what they load, and both are warm: a
 * server's caches are used for days, and the first twenty rounds of a Java program are not what it does then.
 */
final class BenchPair {
    static final String SUBJECT = "nixlkv bench";
    static final String OPPONENT = "lmcache bench l2 fs_native";

    /** Both store buffered, unsynced, with four workers. */
    private static final Setting SETTING = new Setting(Workload.parse("128x256KiB"), IoMode.BUFFERED);

    private static final Target TARGET = Target.of(OPPONENT, 1.2);
    private static final int WARM_UP = 1;
    private static final List<String> ROUNDS = List.of(
            "--num-keys",
            "32",
            "--in-flight",
            "4",
            "--data-size-kb",
            "256",
            "--rounds",
            "40",
            "--warmup-rounds",
            "20",
            "--no-skip-verify");
    private static final int WORKERS = 4;

    private final BenchProgram ours;
    private final BenchProgram theirs;

    BenchPair(BenchProgram ours, BenchProgram theirs) {
        this.ours = ours;
        this.theirs = theirs;
    }

    /**
     * The programs of this source tree and of the installed LMCache.
     *
     * @param nixlkv the launcher at the root of the source tree
     * @param peers the program {@code benchmarks/peers}
     */
    static BenchPair of(Path nixlkv, Path peers, String version) {
        return new BenchPair(
                new BenchProgram(
                        new Contender.Identity(SUBJECT, version, WORKERS),
                        (objects, output) -> with(
                                List.of(nixlkv.toString(), "bench", "--config", config(objects)), List.of("--json"))),
                new BenchProgram(
                        new Contender.Identity(OPPONENT, "as lmcache", WORKERS),
                        (objects, output) -> with(
                                List.of(peers.toString(), "lmcache-bench", "--l2-adapter", adapter(objects)),
                                List.of("-q", "--format", "json", "--output", output.toString()))));
    }

    private static List<String> with(List<String> program, List<String> end) {
        List<String> command = new ArrayList<>(program);
        command.addAll(ROUNDS);
        command.addAll(end);
        return command;
    }

    private static String config(Path objects) {
        return ("{\"use_direct_io\":false,\"store\":{\"layout\":\"lmcache\",\"num_workers\":%d},"
                        + "\"plugin\":{\"posix\":{\"active\":true,\"file_path\":\"%s\",\"sync\":\"false\"}}}")
                .formatted(WORKERS, objects);
    }

    private static String adapter(Path objects) {
        return "{\"type\":\"fs_native\",\"base_path\":\"%s\",\"num_workers\":%d}".formatted(objects, WORKERS);
    }

    /** How often {@link Progress#begins} is called. */
    static int steps(Match.Rules rules) {
        return WARM_UP + rules.pairs();
    }

    /** Measures. @return a cell for each operation */
    List<Cell> run(Match.Rules rules, Progress progress) {
        Random random = new Random(rules.seed());
        Map<Operation, Samples> pairs = samples(rules.pairs());
        Map<Operation, Samples> twins = samples(rules.pairs());
        String failure = null;
        try {
            for (int pair = -WARM_UP; pair < rules.pairs(); pair++) {
                progress.begins(SUBJECT + " against " + OPPONENT);
                turn(rules.directory(), random.nextBoolean(), pair, pairs, twins, progress);
            }
        } catch (ContenderException e) {
            progress.checkAfterFailure();
            failure = e.getMessage();
        }
        List<Cell> cells = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            Comparison.Figures figures = failure != null
                    ? null
                    : new Comparison.Figures(
                            ours.identity(), theirs.identity(), pairs.get(operation), twins.get(operation));
            Comparison comparison = new Comparison(OPPONENT, new Trial(List.of()), figures, failure);
            cells.add(new Cell(SETTING, operation, SUBJECT, List.of(comparison), Optional.of(TARGET), true));
        }
        return cells;
    }

    /** The opponent runs in the middle, so that it is a neighbour of both it is compared with. */
    private void turn(
            Path directory,
            boolean oursFirst,
            int pair,
            Map<Operation, Samples> pairs,
            Map<Operation, Samples> twins,
            Progress progress) {
        Map<Operation, Long> first = (oursFirst ? ours : theirs).run(directory, SETTING.workload());
        progress.check();
        Map<Operation, Long> middle = theirs.run(directory, SETTING.workload());
        progress.check();
        Map<Operation, Long> last = (oursFirst ? theirs : ours).run(directory, SETTING.workload());
        if (pair < 0) {
            return;
        }
        for (Operation operation : Operation.values()) {
            pairs.get(operation).left()[pair] = (oursFirst ? first : last).get(operation);
            pairs.get(operation).right()[pair] = middle.get(operation);
            twins.get(operation).left()[pair] = middle.get(operation);
            twins.get(operation).right()[pair] = (oursFirst ? last : first).get(operation);
        }
    }

    private static Map<Operation, Samples> samples(int count) {
        Map<Operation, Samples> samples = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            samples.put(operation, new Samples(new long[count], new long[count]));
        }
        return samples;
    }
}
