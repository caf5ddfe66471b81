package io.nixlkv.plugin.support.object;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * One request of a batch, for one item or, when objects are deleted in groups, for several. It ends once: by its answers or at the
 * deadline.
 */
final class Work {
    private final int[] items;
    private final Slice slice;
    private final Function<Work, List<Answer>> request;
    private final Runnable unheard;
    private final Exchange exchange = new Exchange();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param slice {@code null} if no memory is involved */
    Work(int[] items, Slice slice, Function<Work, List<Answer>> request) {
        this(items, slice, request, () -> {});
    }

    /**
     * A work that leaves something behind when nobody hears its answers.
     *
     * @param unheard takes it away; called when the work is abandoned, and again should it end after that
     */
    Work(int[] items, Slice slice, Function<Work, List<Answer>> request, Runnable unheard) {
        this.items = items;
        this.slice = slice;
        this.request = request;
        this.unheard = unheard;
    }

    int[] items() {
        return items;
    }

    Slice slice() {
        return slice;
    }

    Exchange exchange() {
        return exchange;
    }

    /** Sends the request, by the calling thread. */
    List<Answer> run() {
        exchange.enter();
        try {
            return request.apply(this);
        } finally {
            exchange.leave();
        }
    }

    /** Whether the caller is the one who ends it. */
    boolean end() {
        return ended.compareAndSet(false, true);
    }

    boolean ended() {
        return ended.get();
    }

    /** After this nothing of the request touches the memory. */
    void abandon() {
        if (slice != null) {
            slice.shut();
        }
        exchange.cancel();
        unheard.run();
    }

    /** It has ended, but was abandoned before. */
    void endedLate() {
        unheard.run();
    }
}
