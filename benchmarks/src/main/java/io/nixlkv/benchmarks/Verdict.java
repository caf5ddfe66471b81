package io.nixlkv.benchmarks;

import java.util.Locale;

/** What a comparison says. */
enum Verdict {
    /** The median ratio reaches the target less {@link #TOLERANCE}. */
    MET,
    MISSED,
    /** The machine was too restless: the peer against itself spread by more than {@link #MAX_SPREAD}. */
    INCONCLUSIVE,
    /** A sound figure that nobody set a target for. */
    MEASURED,
    /** One of the sides failed; there is no figure. */
    FAILED;

    /** The largest spread of the peer's pairs with itself that still allows a verdict. */
    static final double MAX_SPREAD = 0.15;

    /** Share of the target that may be missing. */
    static final double TOLERANCE = 0.05;

    /**
     * Judges a comparison.
     *
     * @param ratio median of the pair ratios
     * @param peerSpread {@link Distribution#spread} of the ratios of the peer with itself
     * @param wanted the ratio to reach
     */
    static Verdict of(double ratio, double peerSpread, double wanted) {
        if (peerSpread > MAX_SPREAD) {
            return INCONCLUSIVE;
        }
        return ratio >= wanted * (1 - TOLERANCE) ? MET : MISSED;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
