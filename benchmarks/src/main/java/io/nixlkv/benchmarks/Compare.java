package io.nixlkv.benchmarks;

import io.nixlkv.host.KvHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
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
            "Names are nixlkv[:ENGINE], pool[:ENGINE], nixl[:QUEUE],",
            "syscalls[:THREADS], slots[:THREADS] and lmcache[:ADAPTER]. Of an",
            "opponent without the part after the colon, a short trial finds the best",
            "variant first.",
            "",
            "Exit status: 0 measured; 1 a side failed, or engine auto (without it,",
            "any engine named) missed a target; 2 wrong usage."
        })
public final class Compare implements Callable<Integer> {
    private static final int FEWEST_PAIRS = 21;
    private static final String FILE_OBJECTS = "32x1MiB,128x256KiB,512x64KiB";
    private static final String POOL_OBJECTS = "128x256KiB,512x64KiB";
    private static final String STORE_OBJECTS = "32x1MiB,64x64KiB";

    /**
     * Loggers are kept, so that their levels are. Stores are opened by the dozen, and each would say so; that strategy POSIX is on
     * this program's class path besides the plugins is as it should be.
     */
    private static final Map<Logger, Level> QUIET =
            Map.of(Logger.getLogger(""), Level.WARNING, Logger.getLogger("io.nixlkv.host.discovery"), Level.SEVERE);

    /** How long a signal waits until what is under way has ended: a step of a peer's bench takes that long. */
    private static final long STOP_MILLIS = 30_000;

    private final Stop stop;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "print this and exit")
    private boolean help;

    @Option(names = "--dir", paramLabel = "DIR", description = "existing directory to store in; needed for files")
    private Path directory;

    @Option(names = "--direct", description = "direct I/O on both sides; else buffered")
    private boolean direct;

    @Option(
            names = "--pool",
            description = "our static pool, in place of a file for each object, against nixl and slots")
    private boolean pool;

    @Option(
            names = "--s3",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "URL",
            description =
                    "compare on object stores in place of files: S3 at URL, such as http://host:9000/BUCKET, with the "
                            + "keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; without URL, on a MinIO of its own")
    private String s3;

    @Option(
            names = "--azure",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "CONNECTION",
            description = "the same on Azure Blob Storage: a connection string, or the word environment if it is in "
                    + "AZURE_STORAGE_CONNECTION_STRING; the container in AZURE_STORAGE_CONTAINER_NAME (nixlkv-compare) "
                    + "must exist; without CONNECTION, on an Azurite of its own")
    private String azure;

    @Option(
            names = "--objects",
            split = ",",
            paramLabel = "NxSIZE",
            showDefaultValue = Visibility.NEVER,
            description = "batches, with commas between; by default " + FILE_OBJECTS + " with files, " + POOL_OBJECTS
                    + " with --pool and " + STORE_OBJECTS + " with object stores")
    private List<String> objects = List.of();

    @Option(
            names = "--engines",
            split = ",",
            paramLabel = "NAMES",
            showDefaultValue = Visibility.NEVER,
            description = "our engines, such as auto,threads; by default auto and every one that works here")
    private List<String> engines = List.of();

    @Option(
            names = "--subject",
            split = ",",
            paramLabel = "NAMES",
            showDefaultValue = Visibility.NEVER,
            description = "who is judged in place of our engines")
    private List<String> subjects = List.of();

    @Option(
            names = "--against",
            split = ",",
            paramLabel = "NAMES",
            showDefaultValue = Visibility.NEVER,
            description = "opponents of files; by default nixl and syscalls, with --pool nixl and slots")
    private List<String> against = List.of();

    @Option(
            names = "--lmcache",
            description = "compare with LMCache too: its adapters, and its bench with ours (installs several GB)")
    private boolean lmcache;

    @Option(names = "--pairs", paramLabel = "N", description = "counted pairs, at least " + FEWEST_PAIRS)
    private int pairs = FEWEST_PAIRS;

    @Option(names = "--warm-up", paramLabel = "N", description = "pairs before the counted ones")
    private int warmUp = 10;

    @Option(names = "--trial", paramLabel = "N", description = "rounds that find an opponent's best variant")
    private int trialRounds = 7;

    @Option(names = "--seed", paramLabel = "N", description = "of the random orders; without it, drawn and reported")
    private Long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "also write one JSON document")
    private Path json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "also write the tables in Markdown")
    private Path markdown;

    @Option(names = "--svg", paramLabel = "FILE", description = "also draw the ratios")
    private Path svg;

    @Option(
            names = "--tree",
            hidden = true,
            description = "root of the source tree",
            defaultValue = "${sys:nixlkv.tree:-.}")
    private Path tree;

    /** @param stop ends the run early */
    Compare(Stop stop) {
        this.stop = stop;
    }

    /**
     * A signal (SIGINT, SIGTERM) ends the run early: what was measured until then is reported and written, and servers, peers and
     * folders are removed.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        QUIET.forEach(Logger::setLevel);
        Stop stop = new Stop();
        Thread run = Thread.currentThread();
        Thread onSignal = new Thread(() -> end(run, stop), "end of the run");
        Runtime.getRuntime().addShutdownHook(onSignal);
        int status = new CommandLine(new Compare(stop)).execute(arguments);
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException signalled) {
            return; // the process ends with the signal's own status, once this thread has ended
        }
        System.exit(status);
    }

    private static void end(Thread run, Stop stop) {
        stop.ask();
        try {
            run.join(STOP_MILLIS);
            // who still waits for one of them then fails, and the run reports what it has
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            run.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Integer call() throws IOException {
        if (pairs < FEWEST_PAIRS || warmUp < 0 || trialRounds < 1) {
            throw wrong("--pairs is at least " + FEWEST_PAIRS + ", --warm-up at least 0 and --trial at least 1");
        }
        if (!engines.isEmpty() && !subjects.isEmpty()) {
            throw wrong("--engines and --subject exclude each other");
        }
        if (pool && (lmcache || !subjects.isEmpty())) {
            throw wrong("--pool excludes --lmcache and --subject");
        }
        boolean onFiles = s3 == null && azure == null;
        if (!onFiles && (direct || pool || lmcache || !engines.isEmpty() || !subjects.isEmpty())) {
            throw wrong("--direct, --pool, --lmcache, --engines and --subject are for files, not for --s3 and --azure");
        }
        Report report;
        try {
            report = onFiles ? files() : stores();
        } catch (ContenderException e) {
            spec.commandLine().getErr().println("failed: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        spec.commandLine().getOut().print(report.table());
        spec.commandLine().getOut().flush();
        if (json != null) {
            JsonReport.write(report, json);
        }
        if (markdown != null) {
            Files.writeString(markdown, report.markdown());
        }
        if (svg != null) {
            Files.writeString(svg, Chart.svg(report));
        }
        return report.passed() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private Report files() throws IOException {
        if (directory == null) {
            throw wrong("--dir is needed, or --s3 or --azure");
        }
        requireDirectory(directory);
        IoMode mode = direct ? IoMode.DIRECT : IoMode.BUFFERED;
        Path root = tree.toAbsolutePath();
        Entrants entrants = new Entrants(root.resolve("benchmarks/peers"), StoreFactory.host(), version());
        try {
            List<Setting> settings = workloads(pool ? POOL_OBJECTS : FILE_OBJECTS).stream()
                    .map(workload -> new Setting(workload, mode))
                    .toList();
            FileRun run = new FileRun(
                    entrants,
                    settings,
                    pool ? Entrants.POOL : Entrants.NIXLKV,
                    engines,
                    subjects,
                    opponents(),
                    lmcache,
                    root,
                    stop);
            return run.run(rules(directory.toRealPath()), spec.commandLine().getErr());
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private List<String> opponents() {
        return against.isEmpty() ? List.of(Entrants.NIXL, pool ? Entrants.SLOTS : Entrants.SYSCALLS) : against;
    }

    private Report stores() throws IOException {
        Path folder = directory == null ? Path.of(System.getProperty("java.io.tmpdir")) : directory;
        requireDirectory(folder);
        Path root = tree.toAbsolutePath();
        try (KvHost host = KvHost.start(root.resolve("plugins/target/plugins"))) {
            List<Workload> workloads = workloads(STORE_OBJECTS);
            ObjectRun run = new ObjectRun(host, root.resolve("benchmarks/peers"), version(), workloads, stop);
            return new ObjectServices(run, s3, azure, System.getenv())
                    .run(rules(folder.toRealPath()), spec.commandLine().getErr());
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private List<Workload> workloads(String unlessNamed) {
        return (objects.isEmpty() ? List.of(unlessNamed.split(",")) : objects)
                .stream().map(Workload::parse).toList();
    }

    private void requireDirectory(Path folder) {
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw wrong("--dir: " + folder + " is not a directory that can be written to");
        }
    }

    private Match.Rules rules(Path folder) {
        return new Match.Rules(folder, pairs, warmUp, trialRounds, seed == null ? System.nanoTime() : seed);
    }

    private static String version() {
        String version = Compare.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private ParameterException wrong(String reason) {
        return new ParameterException(spec.commandLine(), reason);
    }
}
