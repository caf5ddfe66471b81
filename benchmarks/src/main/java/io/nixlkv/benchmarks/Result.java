package io.nixlkv.benchmarks;

import java.util.OptionalDouble;

/**
 * What is known about one operation of a subject against an opponent.
 *
 * @param opponent family of the opponent
 * @param trial how the opponent's variants did
 * @param figures null if a side failed
 * @param failure null if none did
 */
record Result(
        Setting setting,
        Operation operation,
        Entrant subject,
        String opponent,
        Trial trial,
        OptionalDouble target,
        Figures figures,
        Verdict verdict,
        String failure) {

    /**
     * The measured part.
     *
     * @param ours who the subject is
     * @param peer who the opponent is: its best variant
     * @param samples subject left, opponent right
     * @param peerWithItself the opponent against a second process of its own, in the same rounds
     */
    record Figures(Contender.Identity ours, Contender.Identity peer, Samples samples, Samples peerWithItself) {}
}
