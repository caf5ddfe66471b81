package io.nixlkv.cli;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.importing.ImportFailure;
import io.nixlkv.host.importing.ImportPlan;
import io.nixlkv.host.importing.ImportReport;
import io.nixlkv.host.importing.Importer;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code nixlkv import}: copies the objects of a directory into the store, under the names of its layout. */
@Command(
        name = "import",
        description = {
            "Copies the objects of a directory into the store, under the names of its layout.",
            "Objects that are there with equal length are skipped, so an import that was interrupted goes on when it is"
                    + " repeated. Every other object is stored, read back and compared. The source is only read."
        })
final class ImportCommand extends StoreCommand {
    private static final int MOST_SHOWN = 100;

    @Option(
            names = "--from",
            required = true,
            split = ",",
            paramLabel = "DIR",
            description = "Where the objects are; several directories of one store with commas.")
    private List<String> from;

    @Option(
            names = "--from-layout",
            paramLabel = "LAYOUT",
            description =
                    "How the source's files are named: lmcache, lmcache-dynamic, lmcache-engine, hicache, doca-memos"
                            + " or raw; default: as in the store. Sharded and flat names are both found.")
    private String fromLayout = "";

    @Option(
            names = "--from-model",
            paramLabel = "NAME",
            description = "The source's one model, where its names do not hold it; default: store.model.")
    private String model = "";

    @Option(names = "--replace", description = "Replace objects that are there with another length.")
    private boolean replace;

    @Option(names = "--dry-run", description = "Only say what would be copied.")
    private boolean dryRun;

    private final List<Path> directories = new ArrayList<>();

    ImportCommand(NixlkvCommand root) {
        super(root);
    }

    @Override
    void prepare() {
        for (String directory : from) {
            String path = directory.strip();
            try {
                if (!path.isEmpty()) {
                    directories.add(Path.of(path));
                }
            } catch (InvalidPathException wrong) {
                throw new UsageException("--from: " + path + " is not a directory name: " + wrong.getReason(), wrong);
            }
        }
        if (directories.isEmpty()) {
            throw new UsageException("--from: a directory is missing");
        }
    }

    @Override
    int work(Session session, HostConfig config) {
        boolean files = session.host().select(config).engine().segments().contains(Segment.FILE_SEG);
        ImportPlan plan = plan(session, config, files);
        HostConfig sized = ArenaNeed.sized(config, 2L * Importer.batchObjects(plan), Math.max(1, plan.largest()));
        MemoryCheck.require(sized.store().arenaBytes(), "import on a machine with more memory");
        ImportReport report;
        try (KvStore store =
                        dryRun ? session.host().open(sized) : session.host().openCounted(sized);
                Progress progress = Progress.of(around(), "import", plan.objects())) {
            Importer importer = new Importer(store, config.store(), replace, dryRun);
            report = importer.run(plan, progress::to, session::stopping);
        }
        return answer(plan, report);
    }

    private ImportPlan plan(Session session, HostConfig config, boolean files) {
        try {
            return ImportPlan.of(directories, fromLayout, model, config.store(), files, session::stopping);
        } catch (StorageException refused) {
            if (refused.status() == Status.INVALID) {
                throw new UsageException(refused.getMessage(), refused);
            }
            if (refused.getCause() instanceof FileSystemException file) {
                throw new WorkException("cannot import: " + file.getFile() + ": " + IoReason.of(file), refused);
            }
            throw refused;
        }
    }

    private int answer(ImportPlan plan, ImportReport report) {
        List<ImportFailure> shown = report.failures()
                .subList(0, Math.min(MOST_SHOWN, report.failures().size()));
        for (ImportFailure failure : shown) {
            result().message(failure.file() + ": " + failure.reason());
        }
        if (shown.size() < report.failures().size()) {
            result().message((report.failures().size() - shown.size()) + " more failures are not shown");
        }
        boolean nothingFound = plan.objects() == 0 && report.failures().isEmpty() && plan.foreign() > 0;
        if (nothingFound) {
            result().message("none of the " + plan.foreign() + " files is named as in layout " + plan.from()
                    + "; give the source's with --from-layout");
        }
        if (report.stopped()) {
            result().message("stopped before the end; repeat the command to go on");
        }
        result().print(() -> document(plan, report, shown), out -> sentences(plan, report, out));
        return report.failures().isEmpty() && !report.stopped() && !nothingFound ? ExitCode.OK : ExitCode.FAILED;
    }

    private void sentences(ImportPlan plan, ImportReport report, PrintStream out) {
        out.println((dryRun ? "would copy " : "copied ") + report.copied() + " objects, " + report.bytes()
                + " bytes, from layout " + plan.from() + " to " + plan.to());
        out.println(
                report.present() + " were there already, " + report.failures().size() + " failed, " + plan.foreign()
                        + " files are not named as in layout " + plan.from());
    }

    private Map<String, Object> document(ImportPlan plan, ImportReport report, List<ImportFailure> shown) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("from", directories.stream().map(Path::toString).toList());
        document.put("from_layout", plan.from());
        document.put("layout", plan.to());
        document.put("dry_run", dryRun);
        document.put("copied", report.copied());
        document.put("bytes", report.bytes());
        document.put("present", report.present());
        document.put("failed", report.failures().size());
        document.put("not_of_layout", plan.foreign());
        document.put("stopped", report.stopped());
        List<Map<String, Object>> failures = new ArrayList<>();
        for (ImportFailure failure : shown) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("file", failure.file());
            line.put("error", failure.reason());
            failures.add(line);
        }
        document.put("failures", failures);
        return document;
    }
}
