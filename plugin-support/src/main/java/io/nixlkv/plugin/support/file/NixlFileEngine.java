package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.plugin.support.nixl.NixlAgents;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Engine {@code nixl}: native NIXL moves the bytes; names, publication, pools, listing and deleting are those of pure Java. */
final class NixlFileEngine implements FileEngine {
    private final NixlAgents agents;
    private final JavaEngine java;

    private NixlFileEngine(NixlAgents agents, List<FileRoot> roots) {
        this.agents = agents;
        java = new JavaEngine(roots);
    }

    /** @throws io.nixlkv.spi.StorageException saying what is missing */
    static NixlFileEngine open(NixlSettings settings, List<FileRoot> roots, MemoryArena arena) {
        return new NixlFileEngine(NixlAgents.open(settings, Storage.FILES, arena), roots);
    }

    @Override
    public Lane openLane(FileBackend backend) {
        return new NixlFileLane(backend, agents, agents.openLane());
    }

    @Override
    public long openPool(int count, int slotBytes, List<SlabFile> slabs) {
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
        facts.putAll(agents.facts());
        return facts;
    }

    @Override
    public Map<String, Long> counters() {
        return agents.counters();
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
