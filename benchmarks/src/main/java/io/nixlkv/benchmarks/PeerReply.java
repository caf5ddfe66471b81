package io.nixlkv.benchmarks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One line that a peer answers. The protocol is described in {@code src/peers/peer.h}. */
sealed interface PeerReply {

    /** The peer's first line. */
    record Ready(String name, String version, int threads) implements PeerReply {}

    /** The command is done. @param nanos what it took; 0 for commands that are not timed */
    record Ok(long nanos) implements PeerReply {}

    /** The command, or the start, failed. */
    record Failed(String reason) implements PeerReply {}

    /** @throws IllegalArgumentException if the line is no answer */
    static PeerReply parse(String line) {
        Matcher ready = Grammar.READY.matcher(line);
        if (ready.matches()) {
            return new Ready(ready.group(1), ready.group(2), Integer.parseInt(ready.group(3)));
        }
        Matcher ok = Grammar.OK.matcher(line);
        if (ok.matches()) {
            return new Ok(Long.parseLong(ok.group(1)));
        }
        Matcher failed = Grammar.FAILED.matcher(line);
        if (failed.matches()) {
            return new Failed(failed.group(1));
        }
        throw new IllegalArgumentException("not an answer of a peer: \"" + line + "\"");
    }

    /** The three forms of an answer. */
    final class Grammar {
        private static final Pattern READY = Pattern.compile("ready (\\S+) (\\S+) (\\d{1,6})");
        private static final Pattern OK = Pattern.compile("ok (\\d{1,18})");
        private static final Pattern FAILED = Pattern.compile("failed (.+)");

        private Grammar() {}
    }
}
