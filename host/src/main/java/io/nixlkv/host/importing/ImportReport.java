package io.nixlkv.host.importing;

import java.util.List;

/**
 * How an import ended.
 *
 * @param copied objects stored, read back and compared
 * @param bytes of the copied objects
 * @param present objects that were there with equal length and left alone
 * @param failures objects that were not imported
 * @param stopped whether it was asked to stop before the end; a repetition goes on where it ended
 */
public record ImportReport(int copied, long bytes, int present, List<ImportFailure> failures, boolean stopped) {
    public ImportReport {
        failures = List.copyOf(failures);
    }
}
