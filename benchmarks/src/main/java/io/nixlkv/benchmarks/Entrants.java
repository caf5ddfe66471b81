package io.nixlkv.benchmarks;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.ConfigException;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Everything that can be measured with files, by name: a family, or {@code family:variant}. */
final class Entrants {
    static final String NIXLKV = "nixlkv";
    static final String NIXL = "nixl";
    static final String SYSCALLS = "syscalls";
    static final String LMCACHE = "lmcache";

    /** The engine that a store chooses by itself. */
    static final String AUTO = "auto";

    /** Our static pool. */
    static final String POOL = "pool";

    /** Plain system calls on slots of one preallocated file, the limit of a pool. */
    static final String SLOTS = "slots";

    private static final List<String> ENGINES = List.of(AUTO, "threads", "uring", "aio", "posix_aio", "nio");
    private static final List<String> THREADS = List.of("1", "2", "4");

    private static final Map<String, List<String>> VARIANTS = Map.of(
            NIXLKV, ENGINES,
            POOL, ENGINES,
            NIXL, List.of("use_aio", "use_uring", "use_posix_aio"),
            SYSCALLS, THREADS,
            SLOTS, THREADS,
            LMCACHE, List.of("fs_native", "nixl_store", "nixl_store_dynamic"));

    /** The first start of a peer may download and build it. */
    private static final Duration FIRST_START = Duration.ofMinutes(10);

    private static final Setting SMALLEST = new Setting(new Workload(1, 1 << 12), IoMode.BUFFERED);

    private final Path peers;
    private final StoreFactory stores;
    private final String version;

    /**
     * @param peers the program {@code benchmarks/peers}
     * @param version of nixlkv
     */
    Entrants(Path peers, StoreFactory stores, String version) {
        this.peers = peers;
        this.stores = stores;
        this.version = version;
    }

    /**
     * The variants of a family, or the one that is named.
     *
     * @throws IllegalArgumentException if there is no such family
     */
    List<Entrant> named(String name) {
        String[] parts = name.split(":", 2);
        List<String> variants = VARIANTS.get(parts[0]);
        if (variants == null) {
            throw new IllegalArgumentException("nobody is called \"" + name + "\"; there are " + NIXLKV + "[:ENGINE], "
                    + POOL + "[:ENGINE], " + NIXL + "[:QUEUE], " + SYSCALLS + "[:THREADS], " + SLOTS + "[:THREADS] and "
                    + LMCACHE + "[:ADAPTER]");
        }
        List<String> chosen = parts.length == 2 ? List.of(parts[1]) : variants;
        return chosen.stream().map(variant -> entrant(parts[0], variant)).toList();
    }

    /** Of nixlkv. */
    String version() {
        return version;
    }

    /**
     * Looks whether one of our engines works here.
     *
     * @param directory where a store is opened for a moment
     * @throws ContenderException with the reason if it does not
     */
    void requireUsable(Entrant entrant, Path directory) {
        Corner.open(entrant, SMALLEST, directory).close();
    }

    private Entrant entrant(String family, String variant) {
        String name = family + ":" + variant;
        if (ours(family)) {
            boolean pool = family.equals(POOL);
            return new Entrant(name, (setting, folder) -> store(name, variant, pool, setting, subfolder(folder)));
        }
        List<String> command = List.of(peers.toString(), family, variant);
        return new Entrant(
                name,
                (setting, folder) -> new PeerContender(
                        new PeerProcess(name, command, Map.of(), folder.resolve("errors.txt")),
                        FIRST_START,
                        setting,
                        subfolder(folder).toString()));
    }

    /** Whether a family is a store of this project. */
    static boolean ours(String family) {
        return family.equals(NIXLKV) || family.equals(POOL);
    }

    private StoreContender store(String name, String engine, boolean pool, Setting setting, Path files) {
        KvStore store;
        try {
            store = stores.open(files, setting, engine, pool);
        } catch (StorageException | ConfigException e) {
            throw new ContenderException(name + " could not be opened: " + e.getMessage(), e);
        }
        return new StoreContender(name, version, store, setting);
    }

    private static Path subfolder(Path folder) {
        try {
            return Files.createDirectory(folder.resolve("objects"));
        } catch (IOException e) {
            throw new UncheckedIOException("no folder for objects in " + folder, e);
        }
    }
}
