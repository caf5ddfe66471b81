package io.nixlkv.cli;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on a terminal; nothing elsewhere. */
final class Progress implements AutoCloseable {
    /** Steps of a task whose end is not known. */
    static final long UNKNOWN = -1;

    private static final int UPDATE_MILLIS = 200;
    private static final int COLUMNS = 80;

    private final ProgressBar bar;

    private Progress(ProgressBar bar) {
        this.bar = bar;
    }

    static Progress of(Surroundings around, String task, long steps) {
        return new Progress(around.terminal() ? bar(around, task, steps) : null);
    }

    private static ProgressBar bar(Surroundings around, String task, long steps) {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(around.err(), COLUMNS))
                .build();
    }

    void step() {
        if (bar != null) {
            bar.step();
        }
    }

    void to(long steps) {
        if (bar != null) {
            bar.stepTo(steps);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
