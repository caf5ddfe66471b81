package io.nixlkv.benchmarks;

/**
 * A contender that cannot remove what it stored, as native NIXL cannot: its objects are swept away in its place, so that the
 * server holds as little for it as for the other side.
 *
 * @param peer taken over: closed with this
 * @param sweep of a place that belongs to the peer alone; taken over likewise
 */
record SweptContender(Contender peer, Sweep sweep) implements Contender {
    @Override
    public Identity identity() {
        return peer.identity();
    }

    @Override
    public long store(long round) {
        return peer.store(round);
    }

    @Override
    public long load(long round) {
        return peer.load(round);
    }

    @Override
    public void verify(long round) {
        peer.verify(round);
    }

    @Override
    public void drop(long round) {
        peer.drop(round);
        sweep.everything();
    }

    @Override
    public void close() {
        try (sweep) {
            peer.close();
        }
    }
}
