package io.nixlkv.benchmarks;

import java.nio.ByteBuffer;

/** The bytes of a batch: byte {@code j} of object {@code i} is {@code (i * 131 + j * 7 + (j >> 8)) mod 256}. */
final class BytePattern {
    private BytePattern() {}

    /** Writes the whole batch at the buffer's start; object {@code i} begins at {@code i * bytes}. */
    static void fill(ByteBuffer batch, Workload workload) {
        for (int i = 0; i < workload.objects(); i++) {
            for (int j = 0; j < workload.bytes(); j++) {
                batch.put(i * workload.bytes() + j, at(i, j));
            }
        }
    }

    /** Overwrites the whole batch with zeros. */
    static void clear(ByteBuffer batch, Workload workload) {
        for (int at = 0; at < workload.batchBytes(); at++) {
            batch.put(at, (byte) 0);
        }
    }

    /** The first byte of the batch that differs, or -1. */
    static int firstDifference(ByteBuffer batch, Workload workload) {
        for (int i = 0; i < workload.objects(); i++) {
            for (int j = 0; j < workload.bytes(); j++) {
                if (batch.get(i * workload.bytes() + j) != at(i, j)) {
                    return i * workload.bytes() + j;
                }
            }
        }
        return -1;
    }

    private static byte at(int object, int offset) {
        return (byte) (object * 131 + offset * 7 + (offset >> 8));
    }
}
