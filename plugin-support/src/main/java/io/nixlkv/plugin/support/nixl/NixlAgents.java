package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.CudaException;
import io.nixlkv.nativeio.CudaLibrary;
import io.nixlkv.nativeio.NixlException;
import io.nixlkv.nativeio.NixlInstallation;
import io.nixlkv.nativeio.NixlLane;
import io.nixlkv.nativeio.NixlLibrary;
import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.plugin.support.file.HostCopies;
import io.nixlkv.plugin.support.file.RequestEngine;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Makes the agents of one backend, one for each lane, and counts what they did. Thread-safe. */
public final class NixlAgents implements RequestEngine {
    private final NixlSettings settings;
    private final Storage storage;
    private final NixlLibrary library;
    private final MemoryArena arena;
    private final String prefix;
    private final AtomicLong made = new AtomicLong();
    private final LongAdder requests = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder reopened = new LongAdder();
    private final LongAdder refused = new LongAdder();

    private NixlAgents(NixlSettings settings, Storage storage, NixlLibrary library, MemoryArena arena) {
        this.settings = settings;
        this.storage = storage;
        this.library = library;
        this.arena = arena;
        prefix = "nixlkv-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()) + "-";
    }

    /**
     * Loads NIXL into this process.
     *
     * @param arena the memory of all transfers; it must have addresses
     * @throws StorageException saying what is missing and what to do
     */
    public static NixlAgents open(NixlSettings settings, Storage storage, MemoryArena arena) {
        NixlInstallation installation =
                NixlEngine.installation(settings.plugin()).orElseThrow(problem -> unavailable(settings, problem, null));
        if (arena.address(0) == 0) {
            throw unavailable(settings, "this arena has no addresses; let the host allocate it with native-io", null);
        }
        try {
            NixlLibrary.environment(settings.environment());
            if (settings.plugin().startsWith("GDS")) {
                NixlLibrary.loadCompanions(installation);
            }
            return new NixlAgents(settings, storage, NixlLibrary.open(installation), arena);
        } catch (NixlException failed) {
            throw unavailable(settings, failed.getMessage(), failed);
        }
    }

    private static StorageException unavailable(NixlSettings settings, String problem, Throwable cause) {
        return new StorageException(
                Status.UNAVAILABLE, settings.plugin() + " engine " + NixlSettings.ENGINE + ": " + problem, cause);
    }

    /** What they are made with. */
    public NixlSettings settings() {
        return settings;
    }

    @Override
    public String describe() {
        return "NIXL's " + settings.plugin();
    }

    @Override
    public boolean silent() {
        return settings.silent();
    }

    @Override
    public TransferBatch forJava(TransferBatch batch) {
        return HostCopies.of(batch, arena);
    }

    /** Makes an agent with the arena registered. */
    @Override
    public NixlLane openLane() {
        NixlLane lane = library.lane(prefix + made.incrementAndGet(), settings.lane(storage));
        try {
            register(lane);
            lane.open();
            return lane;
        } catch (NixlException | CudaException failed) {
            lane.close();
            throw unavailable(settings, failed.getMessage(), failed);
        }
    }

    private void register(NixlLane lane) {
        boolean onDevice = arena.kind() == Segment.VRAM_SEG;
        if (onDevice) {
            lane.useDevice(CudaLibrary.open(), arena.device());
        }
        for (int segment = 0; segment < arena.segments(); segment++) {
            if (onDevice) {
                lane.addDeviceMemory(arena.address(segment), arena.bytes(segment));
            } else {
                lane.addMemory(arena.segment(segment));
            }
        }
    }

    @Override
    public void count(long posted, long again, long anew) {
        requests.add(posted);
        repeated.add(again);
        reopened.add(anew);
    }

    @Override
    public void refused() {
        refused.increment();
    }

    /** Which NIXL serves. */
    @Override
    public Map<String, String> facts() {
        return Map.of(
                "nixl", library.installation().describe(),
                "nixl_plugin", settings.plugin());
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("nixl_requests", requests.sum());
        counters.put("nixl_items_repeated", repeated.sum());
        counters.put("nixl_agents_renewed", reopened.sum());
        counters.put("nixl_items_refused", refused.sum());
        return counters;
    }
}
