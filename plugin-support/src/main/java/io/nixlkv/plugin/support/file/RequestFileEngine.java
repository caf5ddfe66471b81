package io.nixlkv.plugin.support.file;

import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.PoolLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Engines {@code nixl} and {@code usrbio}: a library moves the bytes; names, publication, pools, listing and deleting are those of pure Java. */
final class RequestFileEngine implements FileEngine {
    private final RequestEngine library;
    private final JavaEngine java;

    RequestFileEngine(RequestEngine library, List<FileRoot> roots) {
        this.library = library;
        java = new JavaEngine(roots);
    }

    @Override
    public Lane openLane(FileBackend backend) {
        return new RequestFileLane(backend, library, library.openLane());
    }

    /** The library opens a pool's file once for each lane: files of slots would be too many. */
    @Override
    public boolean offers(PoolLayout layout) {
        return layout == PoolLayout.SLAB;
    }

    @Override
    public long openPool(PoolForm form, List<PoolFile> files) {
        return 0;
    }

    @Override
    public void closePool(long handle) {}

    @Override
    public long stage(Staged object) {
        return java.stage(object);
    }

    @Override
    public Staged takeStaged(long token) {
        return java.takeStaged(token);
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>(java.facts());
        facts.putAll(library.facts());
        return facts;
    }

    @Override
    public Map<String, Long> counters() {
        return library.counters();
    }

    @Override
    public void stop() {
        java.stop();
    }

    @Override
    public void close() {
        java.close();
    }
}
