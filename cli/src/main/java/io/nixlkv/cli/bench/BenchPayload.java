package io.nixlkv.cli.bench;

import java.nio.ByteBuffer;

/**
 * The content of benchmark objects: a sequence of words that no two objects share, so that bytes of another object or round are
 * noticed.
 */
final class BenchPayload {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private BenchPayload() {}

    /** Fills {@code target}, whose length is a multiple of 8, with the content of an object. */
    static void fill(ByteBuffer target, long object) {
        long word = start(object);
        for (int at = 0; at < target.limit(); at += Long.BYTES) {
            target.putLong(at, word);
            word += STEP;
        }
    }

    /** Whether every byte is that of the object. */
    static boolean holds(ByteBuffer loaded, long object) {
        long word = start(object);
        for (int at = 0; at < loaded.limit(); at += Long.BYTES) {
            if (loaded.getLong(at) != word) {
                return false;
            }
            word += STEP;
        }
        return true;
    }

    /** Overwrites {@code target} with zeros. */
    static void clear(ByteBuffer target) {
        for (int at = 0; at < target.limit(); at += Long.BYTES) {
            target.putLong(at, 0);
        }
    }

    /** Mixed, since neighbouring numbers would give overlapping sequences. */
    private static long start(long object) {
        long mixed = (object + 1) * STEP;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
