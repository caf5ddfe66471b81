package io.nixlkv.benchmarks;

/**
 * What is known about one operation of a subject against one opponent.
 *
 * @param opponent the opponent, of which the best variant was measured: a family such as {@code nixl}, or one variant
 * @param trial how the opponent's variants did
 * @param figures null if a side failed
 * @param failure null if none did
 */
record Comparison(String opponent, Trial trial, Figures figures, String failure) {

    /**
     * The measured part.
     *
     * @param ours who the subject is
     * @param peer who the opponent is: its best variant
     * @param samples subject left, opponent right
     * @param peerWithItself the opponent against a second one of its own, in the same rounds
     */
    record Figures(Contender.Identity ours, Contender.Identity peer, Samples samples, Samples peerWithItself) {
        double ratio() {
            return samples.ratios().median();
        }

        /** How much the opponent differed from itself: {@link Distribution#spread} of its pairs with itself. */
        double spread() {
            return peerWithItself.ratios().spread();
        }
    }

    /** What this pairing alone says. @param wanted the ratio to reach */
    Verdict against(double wanted) {
        return figures == null ? Verdict.FAILED : Verdict.of(figures.ratio(), figures.spread(), wanted);
    }

    /** What it says when nothing is wanted. */
    Verdict soundness() {
        if (figures == null) {
            return Verdict.FAILED;
        }
        return figures.spread() > Verdict.MAX_SPREAD ? Verdict.INCONCLUSIVE : Verdict.MEASURED;
    }
}
