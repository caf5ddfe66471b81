package io.nixlkv.host.cleaner;

import io.nixlkv.host.cleaner.CleaningReport.Outcome;
import io.nixlkv.host.cleaner.CleaningReport.VolumeUse;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a cleaner's passes came to, for the log and for status. The same warning is logged once in a row. Thread-safe. */
final class CleanerLog {
    private static final Logger LOG = LoggerFactory.getLogger(Cleaner.class);

    private final String store;
    private CleaningReport last;
    private Instant ended;
    private long passes;
    private long objects;
    private long bytes;
    private String failure = "";
    private List<Outcome> warned = List.of();
    private String toldFailure = "";

    /** @param store names it in the log */
    CleanerLog(String store) {
        this.store = store;
    }

    synchronized void note(CleaningReport report) {
        last = report;
        ended = Instant.now();
        passes++;
        objects += report.deleted();
        bytes += report.deletedBytes();
        if (report.deleted() > 0) {
            LOG.info("{}: {}", store, sentence(report));
        }
        boolean news = !warned.contains(report.outcome());
        for (String warning : report.warnings()) {
            LOG.atLevel(news ? org.slf4j.event.Level.WARN : org.slf4j.event.Level.DEBUG)
                    .log("{}", warning);
        }
        warned = report.warnings().isEmpty() ? List.of() : List.of(report.outcome());
        if (!report.firstFailure().isEmpty() && !report.firstFailure().equals(toldFailure)) {
            LOG.warn(
                    "{}: {} objects or folders could not be read or deleted, the first: {}",
                    store,
                    report.unreadable() + report.failed(),
                    report.firstFailure());
        }
        toldFailure = report.firstFailure();
        failure = report.firstFailure();
    }

    synchronized void failed(Throwable thrown) {
        failure = thrown.toString();
        LOG.warn("{}: a pass of the cleaner failed; the next one comes", store, thrown);
    }

    private static String sentence(CleaningReport report) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "the cleaner deleted %d objects of %d groups, %.3f GiB, in %d ms",
                report.deleted(),
                report.deletedGroups(),
                report.deletedBytes() / (double) (1L << 30),
                report.took().toMillis()));
        for (VolumeUse use : report.volumes()) {
            text.append("; ").append(use.name()).append(": ").append(use.text());
        }
        return text.toString();
    }

    synchronized void describe(Map<String, Object> details) {
        details.put("passes", passes);
        details.put("deleted_objects", objects);
        details.put("deleted_bytes", bytes);
        if (last != null) {
            details.put("last_pass", ended.toString());
            details.put("last_outcome", last.outcome().name().toLowerCase(Locale.ROOT));
            details.put("last_pass_ms", last.took().toMillis());
            details.put("last_surveyed_objects", last.surveyed());
            details.put("last_deleted_objects", last.deleted());
            for (VolumeUse use : last.volumes()) {
                details.put("used[" + use.name() + "]", String.format(Locale.ROOT, "%.1f %%", use.after()));
            }
        }
        if (!failure.isEmpty()) {
            details.put("last_failure", failure);
        }
    }
}
