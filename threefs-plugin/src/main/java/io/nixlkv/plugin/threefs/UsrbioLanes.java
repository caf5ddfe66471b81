package io.nixlkv.plugin.threefs;

import io.nixlkv.nativeio.NativeException;
import io.nixlkv.nativeio.RequestLane;
import io.nixlkv.nativeio.UsrbioLibrary;
import io.nixlkv.plugin.support.file.RequestEngine;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The rings of one backend, two for each lane. Thread-safe. */
final class UsrbioLanes implements RequestEngine {
    private final UsrbioLibrary library;
    private final String mount;
    private final int entries;
    private final LongAdder submissions = new LongAdder();
    private final LongAdder continued = new LongAdder();
    private final LongAdder refused = new LongAdder();

    UsrbioLanes(UsrbioLibrary library, String mount, int entries) {
        this.library = library;
        this.mount = mount;
        this.entries = entries;
    }

    @Override
    public String describe() {
        return "USRBIO of 3FS";
    }

    @Override
    public RequestLane openLane() {
        try {
            return library.openLane(mount, entries);
        } catch (NativeException failed) {
            throw new StorageException(
                    Status.UNAVAILABLE,
                    ThreeFsStrategy.NAME + " engine usrbio: " + failed.getMessage()
                            + "; check the mount, the size of /dev/shm and iopool_size",
                    failed);
        }
    }

    @Override
    public boolean silent() {
        return false;
    }

    @Override
    public void count(long posted, long repeated, long renewed) {
        submissions.add(posted);
        continued.add(repeated);
    }

    @Override
    public void refused() {
        refused.increment();
    }

    @Override
    public Map<String, String> facts() {
        return Map.of("usrbio_mount", mount);
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("usrbio_submissions", submissions.sum());
        counters.put("usrbio_transfers_continued", continued.sum());
        counters.put("usrbio_items_refused", refused.sum());
        return counters;
    }
}
