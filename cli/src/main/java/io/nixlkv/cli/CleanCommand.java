package io.nixlkv.cli;

import io.nixlkv.host.cleaner.CleaningReport;
import io.nixlkv.host.cleaner.CleaningReport.Outcome;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code nixlkv clean}: one pass of the cleaner in the foreground. */
@Command(
        name = "clean",
        description = {
            "Makes room in a store of files: from the high watermark on, deletes the objects not used for longest, pages"
                    + " as a whole, until less than the low watermark is used.",
            "Only objects of the store's layout and model go. Exit code 1 if it is still too full at the end."
        })
final class CleanCommand extends StoreCommand {
    @Option(names = "--dry-run", description = "Delete nothing; only say what would go.")
    private boolean dryRun;

    @Option(names = "--all-models", description = "Other models' objects may go too, in layout hicache.")
    private boolean allModels;

    @Option(
            names = "--high-watermark",
            paramLabel = "PERCENT",
            description = "Instead of l3_cleaner_high_watermark of the configuration.")
    private String high;

    @Option(
            names = "--low-watermark",
            paramLabel = "PERCENT",
            description = "Instead of l3_cleaner_low_watermark of the configuration.")
    private String low;

    @Option(
            names = "--capacity-gb",
            paramLabel = "GIB",
            description = "Instead of l3_cleaner_capacity_gb of the configuration.")
    private String capacity;

    CleanCommand(NixlkvCommand root) {
        super(root);
    }

    @Override
    HostConfig adapt(HostConfig config) {
        HostConfig adapted = with(config, "l3_cleaner_high_watermark", high);
        adapted = with(adapted, "l3_cleaner_low_watermark", low);
        return with(adapted, "l3_cleaner_capacity_gb", capacity);
    }

    private static HostConfig with(HostConfig config, String key, String value) {
        return value == null ? config : config.withCall(key, value);
    }

    @Override
    int work(Session session, HostConfig config) {
        CleaningReport report;
        try (CleanProgress progress = new CleanProgress(around(), session)) {
            report = session.host().clean(config, dryRun, allModels, progress);
        } catch (StorageException refused) {
            if (refused.status() == Status.UNSUPPORTED) {
                throw new UsageException(refused.getMessage(), refused);
            }
            throw refused;
        }
        report.warnings().forEach(result()::message);
        if (report.unreadable() + report.failed() > 0) {
            result().message((report.unreadable() + report.failed())
                    + " files or folders could not be read or deleted, the first: " + report.firstFailure());
        }
        CleanResult shown = new CleanResult(report, dryRun);
        result().print(shown::document, shown::print);
        boolean done = report.outcome() == Outcome.COOL || report.outcome() == Outcome.CLEANED;
        return done ? ExitCode.OK : ExitCode.FAILED;
    }
}
