package io.nixlkv.benchmarks;

import java.util.Locale;

/** How bytes come to the storage. */
enum IoMode {
    /** Through the page cache. */
    BUFFERED("buffered, sync off, warm"),
    /** Around the page cache. */
    DIRECT("direct, sync off"),
    /** Over the network to an object store. */
    OBJECTS("objects, server warm");

    private final String how;

    IoMode(String how) {
        this.how = how;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What stands beside every figure. */
    String how() {
        return how;
    }
}
