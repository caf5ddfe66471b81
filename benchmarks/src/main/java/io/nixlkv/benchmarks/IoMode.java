package io.nixlkv.benchmarks;

import java.util.Locale;

/** Whether transfers go through the page cache. */
enum IoMode {
    BUFFERED,
    DIRECT;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
