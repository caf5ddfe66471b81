package io.nixlkv.cli.bench;

import java.nio.ByteBuffer;

/**
 * The content of benchmark objects. Every sector of 512 bytes, the smallest piece that storage moves, begins with a word that no
 * other sector of any object has; the other words are those of their place in the object. So sectors of another object, round or
 * place are noticed, and only the first words have to be written anew for each round: a source that is written whole before each
 * round would be measured with the caches it leaves.
 */
final class BenchPayload {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final int SECTOR = 512;
    private static final long BODY = Long.MIN_VALUE;

    private BenchPayload() {}

    /** Fills {@code target}, whose length is a multiple of 8, with what all objects have in common. */
    static void fill(ByteBuffer target) {
        long body = start(BODY);
        for (int at = 0; at < target.limit(); at += Long.BYTES) {
            target.putLong(at, word(body, at));
        }
    }

    /** Makes a target that was filled the content of an object. */
    static void stamp(ByteBuffer target, long object) {
        long stamps = start(object);
        for (int at = 0; at < target.limit(); at += SECTOR) {
            target.putLong(at, word(stamps, at));
        }
    }

    /** Whether every byte is that of the object. */
    static boolean holds(ByteBuffer loaded, long object) {
        long body = start(BODY);
        long stamps = start(object);
        for (int at = 0; at < loaded.limit(); at += Long.BYTES) {
            if (loaded.getLong(at) != word(at % SECTOR == 0 ? stamps : body, at)) {
                return false;
            }
        }
        return true;
    }

    /** Overwrites {@code target} with zeros. */
    static void clear(ByteBuffer target) {
        for (int at = 0; at < target.limit(); at += Long.BYTES) {
            target.putLong(at, 0);
        }
    }

    private static long word(long start, int at) {
        return start + STEP * (at / Long.BYTES);
    }

    /** Mixed, since neighbouring numbers would give overlapping sequences. */
    private static long start(long object) {
        long mixed = (object + 1) * STEP;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
