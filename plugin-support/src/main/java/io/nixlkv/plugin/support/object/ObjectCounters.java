package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a backend has done, reads and writes apart. Thread-safe. */
final class ObjectCounters {
    private final LongAdder written = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder writeFailures = new LongAdder();
    private final LongAdder read = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder readFailures = new LongAdder();
    private final LongAdder otherFailures = new LongAdder();

    void count(Op op, Status status, long length) {
        boolean failed = switch (status) {
            case DONE, ALREADY_PRESENT, MISSING, WRONG_SIZE -> false;
            default -> true;
        };
        switch (op) {
            case WRITE, STAGE, PUBLISH -> {
                if (failed) {
                    writeFailures.increment();
                } else if (status == Status.DONE && op != Op.PUBLISH) {
                    written.increment();
                    bytesWritten.add(length);
                }
            }
            case READ -> {
                if (failed) {
                    readFailures.increment();
                } else if (status == Status.DONE) {
                    read.increment();
                    bytesRead.add(length);
                }
            }
            case QUERY, DELETE, DISCARD -> {
                if (failed) {
                    otherFailures.increment();
                }
            }
        }
    }

    Map<String, Long> values() {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("objects_written", written.sum());
        values.put("bytes_written", bytesWritten.sum());
        values.put("write_failures", writeFailures.sum());
        values.put("objects_read", read.sum());
        values.put("bytes_read", bytesRead.sum());
        values.put("read_failures", readFailures.sum());
        values.put("other_failures", otherFailures.sum());
        return values;
    }
}
