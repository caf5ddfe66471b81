package io.nixlkv.cli;

import io.nixlkv.cli.bench.BenchPlan;
import io.nixlkv.spi.Capabilities;
import picocli.CommandLine.Option;

/** The options of {@code bench}; those of {@code lmcache bench l2} have its names. */
final class BenchOptions {
    @Option(
            names = "--num-keys",
            paramLabel = "N",
            defaultValue = "32",
            description = "Objects of a batch (${DEFAULT-VALUE}).")
    private int numKeys;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "4",
            description = "Batches submitted at once (${DEFAULT-VALUE}).")
    private int inFlight;

    @Option(
            names = "--data-size-kb",
            paramLabel = "KIB",
            defaultValue = "256",
            description = "KiB of an object (${DEFAULT-VALUE}).")
    private int dataSizeKb;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Measured rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warmup-rounds",
            paramLabel = "N",
            defaultValue = "2",
            description = "Rounds before them that are not counted (${DEFAULT-VALUE}).")
    private int warmupRounds;

    @Option(names = "--no-verify", description = "Do not compare the loaded bytes of the last round.")
    private boolean noVerify;

    @Option(
            names = "--skip-verify",
            negatable = true,
            description = "LMCache's name for --no-verify; default: they are compared.")
    private boolean skipVerify;

    @Option(names = "--keep", description = "Leave what was written.")
    private boolean keep;

    /**
     * Refuses what makes no sense.
     *
     * @param l1AlignBytes alignment asked for; null if none is
     * @throws UsageException in one sentence
     */
    void check(Integer l1AlignBytes) {
        positive("--num-keys", numKeys, 1);
        positive("--in-flight", inFlight, 1);
        positive("--data-size-kb", dataSizeKb, 1);
        positive("--rounds", rounds, 1);
        positive("--warmup-rounds", warmupRounds, 0);
        if (dataSizeKb > Capabilities.MAX_OBJECT_BYTES >> 10) {
            throw new UsageException(
                    "--data-size-kb must be at most " + (Capabilities.MAX_OBJECT_BYTES >> 10) + ", not " + dataSizeKb);
        }
        if ((long) numKeys * inFlight * (rounds + (long) warmupRounds) > Integer.MAX_VALUE) {
            throw new UsageException(
                    "--num-keys, --in-flight and the rounds together make too many objects; use fewer");
        }
        if (l1AlignBytes != null
                && (Integer.bitCount(l1AlignBytes) != 1
                        || l1AlignBytes < 1
                        || (dataSizeKb << 10) % l1AlignBytes != 0)) {
            throw new UsageException("--l1-align-bytes must be a power of two that divides the object's "
                    + (dataSizeKb << 10) + " bytes, not " + l1AlignBytes);
        }
    }

    private static void positive(String name, int value, int least) {
        if (value < least) {
            throw new UsageException(name + " must be at least " + least + ", not " + value);
        }
    }

    boolean keep() {
        return keep;
    }

    BenchPlan plan() {
        return new BenchPlan(numKeys, inFlight, dataSizeKb << 10, rounds, warmupRounds, !noVerify && !skipVerify);
    }
}
