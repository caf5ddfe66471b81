package io.nixlkv.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind {@code benchmarks/compare}. */
@Command(
        name = "compare",
        showDefaultValues = true,
        sortOptions = false,
        description = "Compares nixlkv with its peers: pairs in random order, judged by the median of their ratios.",
        footer = {
            "",
            "Names are nixlkv[:ENGINE], nixl[:QUEUE] and syscalls[:THREADS].",
            "Of an opponent without the part after the colon, a short trial",
            "finds the best variant first.",
            "",
            "Exit status: 0 measured; 1 a side failed or a target was missed;",
            "2 wrong usage."
        })
public final class Compare implements Callable<Integer> {
    private static final int FEWEST_PAIRS = 21;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "print this and exit")
    private boolean help;

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "existing directory to store in")
    private Path directory;

    @Option(names = "--direct", description = "direct I/O on both sides; else buffered")
    private boolean direct;

    @Option(names = "--objects", split = ",", paramLabel = "NxSIZE", description = "batches, with commas between")
    private List<String> objects = List.of("32x1MiB", "128x256KiB", "512x64KiB");

    @Option(names = "--pairs", paramLabel = "N", description = "counted pairs, at least " + FEWEST_PAIRS)
    private int pairs = FEWEST_PAIRS;

    @Option(names = "--warm-up", paramLabel = "N", description = "pairs before the counted ones")
    private int warmUp = 10;

    @Option(names = "--trial", paramLabel = "N", description = "rounds that find an opponent's best variant")
    private int trialRounds = 7;

    @Option(names = "--subject", paramLabel = "NAME", description = "who is judged")
    private String subject = Entrants.NIXLKV;

    @Option(names = "--against", split = ",", paramLabel = "NAMES", description = "opponents")
    private List<String> against = List.of(Entrants.NIXL, Entrants.SYSCALLS);

    @Option(names = "--targets", paramLabel = "LIST", description = "wanted ratios to native NIXL; may be empty")
    private String targets = Targets.DEFAULT;

    @Option(names = "--seed", paramLabel = "N", description = "of the random orders; without it, drawn and reported")
    private Long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "also write one JSON document")
    private Path json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "also write the table in Markdown")
    private Path markdown;

    @Option(
            names = "--peers",
            paramLabel = "PROGRAM",
            description = "the program that runs peers",
            defaultValue = "${sys:nixlkv.peers:-benchmarks/peers}")
    private Path peers;

    /** @param arguments see {@code --help} */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Compare()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        if (!Files.isDirectory(directory)) {
            throw wrong("--dir: " + directory + " is not a directory");
        }
        if (pairs < FEWEST_PAIRS || warmUp < 0 || trialRounds < 1) {
            throw wrong("--pairs is at least " + FEWEST_PAIRS + ", --warm-up at least 0 and --trial at least 1");
        }
        IoMode mode = direct ? IoMode.DIRECT : IoMode.BUFFERED;
        List<Setting> settings;
        Entrant judged;
        List<List<Entrant>> opponents;
        Match.Rules rules;
        try {
            settings = objects.stream()
                    .map(text -> new Setting(Workload.parse(text), mode))
                    .toList();
            Entrants entrants = new Entrants(peers.toAbsolutePath(), StoreFactory.host(), version());
            judged = entrants.named(subject).get(0);
            opponents = against.stream().map(entrants::named).toList();
            rules = new Match.Rules(
                    directory.toRealPath(),
                    pairs,
                    warmUp,
                    trialRounds,
                    seed == null ? System.nanoTime() : seed,
                    Targets.parse(targets));
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        Report report = run(rules, mode, judged, opponents, settings);
        spec.commandLine().getOut().print(report.table());
        spec.commandLine().getOut().flush();
        if (json != null) {
            report.writeJson(json);
        }
        if (markdown != null) {
            Files.writeString(markdown, report.markdown());
        }
        return report.passed() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private Report run(
            Match.Rules rules, IoMode mode, Entrant judged, List<List<Entrant>> opponents, List<Setting> settings) {
        PrintWriter progress = spec.commandLine().getErr();
        Match match = new Match(rules);
        List<Result> results = new ArrayList<>();
        for (Setting setting : settings) {
            for (List<Entrant> variants : opponents) {
                progress.println("measuring " + setting.workload().label() + " "
                        + setting.mode().label() + ": " + judged.name() + " against "
                        + variants.get(0).family());
                progress.flush();
                results.addAll(match.run(judged, variants, setting));
            }
        }
        return new Report(Conditions.of(rules, mode, results), results);
    }

    private static String version() {
        String version = Compare.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private ParameterException wrong(String reason) {
        return new ParameterException(spec.commandLine(), reason);
    }
}
