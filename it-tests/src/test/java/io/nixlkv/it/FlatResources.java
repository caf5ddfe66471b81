package io.nixlkv.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Memory and descriptors of this process over time, as the kernel counts them. */
final class FlatResources {
    private static final long MEMORY_SLACK = 24L << 20;

    /** @param rss bytes in memory */
    record Sample(long rss, long descriptors, long threads) {}

    private final List<Sample> samples = new ArrayList<>();

    /** To be called where the work is at rest: stores closed, garbage collected. */
    Sample take() throws IOException {
        System.gc();
        long rss = 0;
        long threads = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                rss = Long.parseLong(line.replaceAll("\\D", "")) << 10;
            } else if (line.startsWith("Threads:")) {
                threads = Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            Sample sample = new Sample(rss, open.count(), threads);
            samples.add(sample);
            return sample;
        }
    }

    /**
     * Compares the last third with the one before it: the first is for warming up. The least of each counts, since what is ending may
     * be there still when a sample is taken; what leaks is in the least as well.
     *
     * @throws AssertionError if more is used in the end
     */
    String requireFlat() {
        if (samples.size() < 6) {
            throw new AssertionError("only " + samples.size() + " samples; give it more time");
        }
        int third = samples.size() / 3;
        Sample before = least(samples.subList(third, 2 * third));
        Sample after = least(samples.subList(2 * third, samples.size()));
        String both = samples.size() + " samples; least in the second third: " + before + ", in the last: " + after;
        if (after.rss() > before.rss() + before.rss() / 20 + MEMORY_SLACK
                || after.descriptors() > before.descriptors()
                || after.threads() > before.threads()) {
            throw new AssertionError("not flat: " + both);
        }
        return both;
    }

    private static Sample least(List<Sample> some) {
        return new Sample(
                some.stream().mapToLong(Sample::rss).min().orElseThrow(),
                some.stream().mapToLong(Sample::descriptors).min().orElseThrow(),
                some.stream().mapToLong(Sample::threads).min().orElseThrow());
    }
}
