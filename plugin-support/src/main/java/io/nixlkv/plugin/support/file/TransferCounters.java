package io.nixlkv.plugin.support.file;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Growing numbers of one backend. Thread-safe. */
final class TransferCounters {
    private final LongAdder direct = new LongAdder();
    private final LongAdder buffered = new LongAdder();
    private final LongAdder read = new LongAdder();
    private final LongAdder written = new LongAdder();
    private final LongAdder failures = new LongAdder();

    void wrote(int bytes, boolean bypassed) {
        written.add(bytes);
        (bypassed ? direct : buffered).increment();
    }

    void read(int bytes, boolean bypassed) {
        read.add(bytes);
        (bypassed ? direct : buffered).increment();
    }

    void add(long directTransfers, long bufferedTransfers, long bytesRead, long bytesWritten) {
        direct.add(directTransfers);
        buffered.add(bufferedTransfers);
        read.add(bytesRead);
        written.add(bytesWritten);
    }

    void failed() {
        failures.increment();
    }

    Map<String, Long> snapshot() {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("transfers_direct", direct.sum());
        counters.put("transfers_buffered", buffered.sum());
        counters.put("bytes_read", read.sum());
        counters.put("bytes_written", written.sum());
        counters.put("failures", failures.sum());
        return counters;
    }
}
