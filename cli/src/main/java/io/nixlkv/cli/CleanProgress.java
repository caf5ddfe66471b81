package io.nixlkv.cli;

import io.nixlkv.host.cleaner.CleaningWatch;

/** A cleaner's pass on a terminal: first the files that were looked at, then the bytes that went. */
final class CleanProgress implements CleaningWatch, AutoCloseable {
    private static final int KIB = 1024;

    private final Surroundings around;
    private final Session session;
    private Progress bar;
    private boolean deleting;

    CleanProgress(Surroundings around, Session session) {
        this.around = around;
        this.session = session;
    }

    @Override
    public boolean stopped() {
        return session.stopping();
    }

    @Override
    public void surveyed(long files) {
        if (bar == null || deleting) {
            begin("looking at files", Progress.UNKNOWN, false);
        }
        bar.to(files);
    }

    @Override
    public void freed(long bytes, long wanted) {
        if (wanted <= 0) {
            return;
        }
        if (bar == null || !deleting) {
            begin("freeing KiB", wanted / KIB, true);
        }
        bar.to(Math.min(bytes, wanted) / KIB);
    }

    private void begin(String task, long steps, boolean deletes) {
        close();
        deleting = deletes;
        bar = Progress.of(around, task, steps);
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
