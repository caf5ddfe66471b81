/**
 * Compares nixlkv with its peers: both sides in one run, in pairs of random order, judged by the median of the pair ratios. The
 * rule is written down in {@code docs/benchmarks.md}.
 */
package io.nixlkv.benchmarks;
