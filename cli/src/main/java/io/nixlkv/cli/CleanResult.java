package io.nixlkv.cli;

import io.nixlkv.host.cleaner.CleaningReport;
import io.nixlkv.host.cleaner.CleaningReport.VolumeUse;
import io.nixlkv.host.cleaner.ModelTally;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a pass of the cleaner came to, for people and programs.
 *
 * @param dryRun whether nothing was deleted
 */
record CleanResult(CleaningReport report, boolean dryRun) {
    void print(PrintStream out) {
        for (VolumeUse use : report.volumes()) {
            out.println(use.name() + ": " + use.text() + " of " + use.size() + " bytes");
        }
        if (!report.models().isEmpty()) {
            TextTable table = new TextTable(
                    "model", "objects", "bytes", "oldest", "newest", dryRun ? "would go" : "deleted", "bytes", "up to");
            for (ModelTally tally : report.models()) {
                ModelTally.Objects there = tally.there();
                ModelTally.Objects going = tally.going();
                table.row(
                        tally.model(),
                        Long.toString(there.count()),
                        Long.toString(there.bytes()),
                        time(there, there.oldest()),
                        time(there, there.newest()),
                        Long.toString(going.count()),
                        Long.toString(going.bytes()),
                        time(going, going.newest()));
            }
            table.print(out);
        }
        out.println(sentence());
    }

    private String sentence() {
        String about = dryRun && report.share() < 1 ? "about " : "";
        String what = about + report.deleted() + " objects of " + report.deletedGroups() + " groups, "
                + report.deletedBytes() + " bytes";
        String left = (report.leased() + report.changed() > 0
                        ? "; " + (report.leased() + report.changed()) + " groups in use were left alone"
                        : "")
                + (report.foreign() > 0
                        ? "; " + report.foreign() + " files are not of this store's layout and model and stay"
                        : "");
        return switch (report.outcome()) {
            case COOL -> "nothing has to go: no high watermark is reached" + left;
            case CLEANED, EXHAUSTED, STUCK -> (dryRun ? "would delete " : "deleted ") + what + left;
            case HOPELESS -> "deleted nothing: other data fills the place" + left;
            case STOPPED -> "stopped before the end; deleted " + what + left;
        };
    }

    private static String time(ModelTally.Objects objects, long millis) {
        return objects.count() == 0
                ? "-"
                : DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss")
                        .withZone(ZoneId.systemDefault())
                        .format(Instant.ofEpochMilli(millis));
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("dry_run", dryRun);
        document.put("outcome", report.outcome().name().toLowerCase(Locale.ROOT));
        document.put("estimated", dryRun && report.share() < 1);
        document.put("deleted_objects", report.deleted());
        document.put("deleted_bytes", report.deletedBytes());
        document.put("deleted_groups", report.deletedGroups());
        document.put("surveyed_objects", report.surveyed());
        document.put("surveyed_bytes", report.surveyedBytes());
        document.put("foreign_files", report.foreign());
        document.put("groups_in_use", report.leased() + report.changed());
        document.put("failures", report.unreadable() + report.failed());
        document.put("first_failure", report.firstFailure().isEmpty() ? null : report.firstFailure());
        List<Map<String, Object>> volumes = new ArrayList<>();
        for (VolumeUse use : report.volumes()) {
            Map<String, Object> volume = new LinkedHashMap<>();
            volume.put("name", use.name());
            volume.put("size_bytes", use.size());
            volume.put("used_percent_before", use.before());
            volume.put("used_percent_after", use.after());
            volumes.add(volume);
        }
        document.put("volumes", volumes);
        List<Map<String, Object>> models = new ArrayList<>();
        for (ModelTally tally : report.models()) {
            Map<String, Object> model = new LinkedHashMap<>();
            model.put("model", tally.model());
            model.put("there", document(tally.there()));
            model.put("going", document(tally.going()));
            models.add(model);
        }
        document.put("models", models);
        document.put("warnings", report.warnings());
        document.put("took_ms", report.took().toMillis());
        return document;
    }

    private static Map<String, Object> document(ModelTally.Objects objects) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("objects", objects.count());
        document.put("bytes", objects.bytes());
        document.put("oldest", moment(objects, objects.oldest()));
        document.put("newest", moment(objects, objects.newest()));
        return document;
    }

    private static String moment(ModelTally.Objects objects, long millis) {
        return objects.count() == 0 ? null : Instant.ofEpochMilli(millis).toString();
    }
}
