package io.nixlkv.benchmarks;

/** One configuration that is measured: what is moved, and how. */
record Setting(Workload workload, IoMode mode) {}
