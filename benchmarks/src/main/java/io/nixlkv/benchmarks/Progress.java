package io.nixlkv.benchmarks;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** Says what is being measured, how much is left, and about how long that takes. Used by one thread. */
final class Progress {
    private static final long SIGNAL_NANOS = 200_000_000;

    private final PrintWriter out;
    private final Stop stop;
    private final int steps;
    private final long start = System.nanoTime();
    private int begun;

    /**
     * @param stop is asked at each step whether there is to be another one
     * @param steps how many there will be
     */
    Progress(PrintWriter out, Stop stop, int steps) {
        this.out = out;
        this.stop = stop;
        this.steps = steps;
    }

    /** @throws Stop.StoppedException if the run is to end */
    void check() {
        stop.check();
    }

    /**
     * Called when somebody failed: a signal to the whole group of processes ends peers too, who then failed nothing, and may reach
     * them before it is noticed here.
     *
     * @throws Stop.StoppedException if the run is to end
     */
    void checkAfterFailure() {
        LockSupport.parkNanos(SIGNAL_NANOS);
        check();
    }

    /** A step begins. @throws Stop.StoppedException if the run is to end */
    void begins(String what) {
        check();
        String left = begun == 0 ? "" : ", about " + text(left()) + " left";
        begun++;
        say(String.format(Locale.ROOT, "[%d of %d%s] %s", begun, steps, left, what));
    }

    /** Says something at once. */
    void say(String text) {
        out.println(text);
        out.flush();
    }

    private Duration left() {
        long each = (System.nanoTime() - start) / begun;
        return Duration.ofNanos(each * Math.max(0, steps - begun));
    }

    /** A duration for people, in minutes, or seconds below two minutes. */
    static String text(Duration duration) {
        return duration.toSeconds() < 120
                ? duration.toSeconds() + " s"
                : Math.round(duration.toSeconds() / 60.0) + " min";
    }
}
