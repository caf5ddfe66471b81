package io.nixlkv.spi.tck;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.TransferBatch.Mode;
import java.util.ArrayList;
import java.util.List;

/**
 * What the writers of one kill round do, step by step: the same in the child that writes and in the parent that checks.
 *
 * @param seed of the whole run
 * @param round number of the kill
 * @param can the engine's capabilities, which choose the kinds of steps
 */
record KillScript(long seed, int round, Capabilities can) {
    /** Concurrent writers of a child, each with a lane. */
    static final int WRITERS = 3;

    /** Steps of a writer, unless it is killed before. */
    static final int STEPS = 40;

    private static final int SMALL = 60_000;
    private static final int LARGE = 500_000;

    /** What one step does. */
    enum Kind {
        /** CREATE of new names. */
        CREATE,
        /** REPLACE of names that only this writer uses. */
        REPLACE_OWN,
        /** REPLACE of names that all writers use. */
        REPLACE_SHARED,
        /** STAGE, then PUBLISH, of new names. */
        PUBLISH,
        /** STAGE, then DISCARD: never visible. */
        DISCARD
    }

    /** One object of a step. */
    record Write(String name, Content content) {}

    /** One step: a request of a few objects. */
    record Step(Kind kind, Mode mode, List<Write> writes) {}

    /** Names of this round start so. */
    String prefix() {
        return "k" + round + "/";
    }

    /** Acknowledged steps after which the parent kills, and the nanoseconds that it waits then. */
    int killAfterSteps() {
        return (int) number(-1, 0, 8);
    }

    long killAfterNanos() {
        return number(-2, 0, 3_000_000);
    }

    /** A step of a writer. */
    Step step(int writer, int step) {
        List<Kind> kinds = kinds();
        Kind kind = kinds.get((int) number(writer, 100L * step, kinds.size()));
        List<Write> writes = new ArrayList<>();
        int count = 1 + (int) number(writer, 100L * step + 1, 4);
        for (int i = 0; i < count; i++) {
            String name = prefix()
                    + switch (kind) {
                        case CREATE -> "c" + writer + "-" + step + "-" + i;
                        case REPLACE_OWN -> "r" + writer + "-" + i;
                        case REPLACE_SHARED -> "h" + i;
                        case PUBLISH -> "p" + writer + "-" + step + "-" + i;
                        case DISCARD -> "d" + writer + "-" + step + "-" + i;
                    };
            // Without stored lengths the parent can only read what always has the same length.
            long sizedBy = can.has(Feature.STORED_LENGTH) ? 100L * step + 10 + i : name.hashCode();
            int limit = number(writer, 100L * step + 30 + i, 8) == 0 ? LARGE : SMALL;
            int length = 1 + (int) number(0, sizedBy, can.has(Feature.STORED_LENGTH) ? limit : SMALL);
            length = (int) Math.min(length, can.maxObjectBytes());
            writes.add(new Write(name, new Content(number(writer, 100L * step + 50 + i, Long.MAX_VALUE), length)));
        }
        boolean replaces = kind == Kind.REPLACE_OWN || kind == Kind.REPLACE_SHARED || !can.has(Feature.CREATE);
        return new Step(kind, replaces ? Mode.REPLACE : Mode.CREATE, writes);
    }

    private List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        if (can.has(Feature.CREATE)) {
            kinds.add(Kind.CREATE);
        }
        if (can.has(Feature.REPLACE)) {
            kinds.add(Kind.REPLACE_OWN);
            kinds.add(Kind.REPLACE_SHARED);
        }
        if (can.has(Feature.STAGE)) {
            kinds.add(Kind.PUBLISH);
            kinds.add(Kind.DISCARD);
        }
        return kinds;
    }

    private long number(long writer, long index, long bound) {
        long mixed = Content.mix(Content.mix(Content.mix(seed + round) + writer) + index);
        return (mixed >>> 1) % bound;
    }
}
