package io.nixlkv.host.store;

/**
 * Which of several roots holds an object, by rendezvous hashing of its name: every root gets a score, the highest wins. Appending a
 * root moves only the objects that the new one wins.
 */
final class Router {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final int roots;

    Router(int roots) {
        this.roots = roots;
    }

    int root(byte[] name, int from, int to) {
        if (roots == 1) {
            return 0;
        }
        long hash = FNV_OFFSET;
        for (int i = from; i < to; i++) {
            hash = (hash ^ (name[i] & 0xff)) * FNV_PRIME;
        }
        int best = 0;
        long bestScore = Long.MIN_VALUE;
        for (int root = 0; root < roots; root++) {
            long score = mix(hash + root * 0x9e3779b97f4a7c15L);
            if (score > bestScore) {
                bestScore = score;
                best = root;
            }
        }
        return best;
    }

    /** Finaliser of SplitMix64 (Steele, Lea, Flood 2014): spreads every input bit over the whole word. */
    private static long mix(long word) {
        long z = (word ^ word >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
