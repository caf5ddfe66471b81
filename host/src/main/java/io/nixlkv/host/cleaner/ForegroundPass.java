package io.nixlkv.host.cleaner;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A pass that a person asked for: it does not wait for its turn, but says whose turn it is. */
public final class ForegroundPass {
    private ForegroundPass() {}

    /**
     * Makes a pass now.
     *
     * @param scope see {@link Ownership#scope}
     * @throws IOException if a file system does not tell how full it is
     */
    public static CleaningReport run(CleaningTask task, String scope, CleaningWatch watch) throws IOException {
        if (task.dryRun()) {
            return new CleaningPass(task, watch).run();
        }
        try (LeaderLock lock = new LeaderLock(task.directories(), scope)) {
            boolean leads = lock.renew().size() == task.directories().size();
            CleaningReport report = new CleaningPass(task, watch).run();
            if (leads) {
                return report;
            }
            List<String> warnings = new ArrayList<>(report.warnings());
            warnings.add("another cleaner works here too; this pass leads its directories: " + lock.state());
            return report.with(warnings);
        }
    }
}
