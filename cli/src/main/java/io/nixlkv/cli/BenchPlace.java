package io.nixlkv.cli;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.spi.Parameter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Where a benchmark writes: the configured store, or a temporary directory that is removed when this is closed. */
final class BenchPlace implements AutoCloseable {
    private final HostConfig config;
    private final Path temporary;
    private final boolean keep;

    private BenchPlace(HostConfig config, Path temporary, boolean keep) {
        this.config = config;
        this.temporary = temporary;
        this.keep = keep;
    }

    static BenchPlace of(Session session, HostConfig given, boolean configured, boolean keep) {
        if (configured) {
            return new BenchPlace(given, null, keep);
        }
        Path directory;
        try {
            directory = Files.createTempDirectory("nixlkv-bench-");
        } catch (IOException refused) {
            throw new WorkException("no temporary directory can be made: " + refused, refused);
        }
        HostConfig config = given.withCall("store.layout", "lmcache");
        for (FoundStrategy found : session.host().plugins().strategies()) {
            for (Parameter parameter : found.info().parameters()) {
                if (parameter.name().equals("file_path")) {
                    config = config.withCall(
                            "plugin." + found.info().name().toLowerCase(Locale.ROOT) + ".file_path",
                            directory.toString());
                }
            }
        }
        return new BenchPlace(config, directory, keep);
    }

    HostConfig config() {
        return config;
    }

    /** Whether what was written has to be removed object by object. */
    boolean removesObjects() {
        return temporary == null && !keep;
    }

    /** What becomes of the data, for people. @param alreadyThere objects that were there before, which stay */
    String fate(long alreadyThere) {
        String others = alreadyThere == 0 ? "" : "; " + alreadyThere + " objects of an earlier run stay";
        return (keep ? "kept" : "removed") + others;
    }

    @Override
    public void close() {
        if (temporary == null || keep) {
            return;
        }
        try {
            TemporaryTree.delete(temporary);
        } catch (IOException failed) {
            throw new WorkException("the temporary directory " + temporary + " cannot be removed: " + failed, failed);
        }
    }
}
