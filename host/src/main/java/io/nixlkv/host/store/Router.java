package io.nixlkv.host.store;

import io.nixlkv.host.layout.Routing;

/**
 * Which of several roots holds an object where the layout has no rule of its own, by rendezvous hashing of its name: every root gets a score, the highest wins. Appending a
 * root moves only the objects that the new one wins.
 */
final class Router implements Routing {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    @Override
    public int root(byte[] name, int from, int to, int roots) {
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
