package io.nixlkv.host.cleaner;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What came of a pass. Bytes are those of whole 4 KiB blocks.
 *
 * @param outcome how it ended
 * @param surveyed objects of the store; 0 if there was no need to look
 * @param surveyedBytes their bytes
 * @param foreign files that are none of the store's objects, and were left alone
 * @param unreadable folders and files that could not be looked at
 * @param deleted objects that were deleted, or would be
 * @param deletedBytes their bytes
 * @param deletedGroups pages, where objects belong together, that they make up
 * @param leased groups left alone because somebody in this process counts on them
 * @param changed groups left alone because they were used while the pass ran
 * @param failed objects that could not be deleted
 * @param firstFailure what was wrong with the first thing that could not be read or deleted; empty if nothing was
 * @param share share of the bytes that the pass could remember at once, above 0 and at most 1; below 1 what would go is an estimate
 * @param volumes what fills up, before and after
 * @param warnings what a person should know, as sentences
 * @param models by model, if that was asked for or something went
 * @param took duration
 */
public record CleaningReport(
        Outcome outcome,
        long surveyed,
        long surveyedBytes,
        long foreign,
        long unreadable,
        long deleted,
        long deletedBytes,
        long deletedGroups,
        long leased,
        long changed,
        long failed,
        String firstFailure,
        double share,
        List<VolumeUse> volumes,
        List<String> warnings,
        List<ModelTally> models,
        Duration took) {

    /** How a pass ended. */
    public enum Outcome {
        /** Nothing was as full as the high watermark. */
        COOL,
        /** Everything is below the low watermark again. */
        CLEANED,
        /** Nothing more may go, and something is still not below the low watermark. */
        EXHAUSTED,
        /** Other data fills the place: what the store holds there could not bring it below the high watermark. */
        HOPELESS,
        /** What was deleted does not show in the use of the file system. */
        STUCK,
        /** It was asked to end. */
        STOPPED
    }

    /**
     * A file system, or the budget.
     *
     * @param name first directory on it, or {@code l3_cleaner_capacity_gb}
     * @param size bytes that can be used
     * @param before per cent used when the pass began
     * @param after per cent used at its end
     */
    public record VolumeUse(String name, long size, double before, double after) {
        /** The use before and after. */
        public String text() {
            return Math.abs(before - after) < 0.05
                    ? String.format(Locale.ROOT, "%.1f %% used", after)
                    : String.format(Locale.ROOT, "%.1f %% used, %.1f %% before", after, before);
        }
    }

    public CleaningReport {
        volumes = List.copyOf(volumes);
        warnings = List.copyOf(warnings);
        models = List.copyOf(models);
    }

    CleaningReport with(List<String> otherWarnings) {
        return new CleaningReport(
                outcome,
                surveyed,
                surveyedBytes,
                foreign,
                unreadable,
                deleted,
                deletedBytes,
                deletedGroups,
                leased,
                changed,
                failed,
                firstFailure,
                share,
                volumes,
                otherWarnings,
                models,
                took);
    }
}
