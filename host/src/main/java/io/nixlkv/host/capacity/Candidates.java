package io.nixlkv.host.capacity;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.KvKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Of all objects offered, those not used for longest that together have the wanted bytes. */
final class Candidates {
    record Candidate(KvKey key, HashValue128 digest, long bytes, long unusedMillis) {}

    private static final Comparator<Candidate> LATEST_USED_FIRST = Comparator.comparingLong(Candidate::unusedMillis);

    private final PriorityQueue<Candidate> oldest = new PriorityQueue<>(LATEST_USED_FIRST);
    private final long wanted;
    private long bytes;

    Candidates(long wanted) {
        this.wanted = wanted;
    }

    void offer(Candidate candidate) {
        boolean enough = bytes >= wanted;
        if (enough && candidate.unusedMillis() <= oldest.peek().unusedMillis()) {
            return;
        }
        oldest.add(candidate);
        bytes += candidate.bytes();
        while (bytes - oldest.peek().bytes() >= wanted) {
            bytes -= oldest.poll().bytes();
        }
    }

    /** The chosen ones, the one unused for longest first. */
    List<Candidate> chosen() {
        List<Candidate> chosen = new ArrayList<>(oldest);
        chosen.sort(LATEST_USED_FIRST.reversed());
        return chosen;
    }
}
