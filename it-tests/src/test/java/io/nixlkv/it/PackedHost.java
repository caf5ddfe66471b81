package io.nixlkv.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.KvHost;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.nativeio.NativeIo;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The real host over the distribution's packed jars, as an application embeds it. */
final class PackedHost implements AutoCloseable {
    /** Engine {@code posix} of 3FS does without the native library where there is none. */
    private static final Set<String> PURE_JAVA = Set.of("nio", "posix");

    private final KvHost host = KvHost.start(Distribution.PLUGINS);

    KvHost host() {
        return host;
    }

    /** A store on POSIX directories; {@code store} are further lines of the table {@code [store]}. */
    KvStore posix(String paths, boolean direct, String store) {
        return host.open(config(paths, direct, store));
    }

    KvStore raw(Path directory) {
        return posix(directory.toString(), false, "layout = \"raw\"");
    }

    /** A buffered store on one POSIX directory with a certain engine. */
    KvStore engine(Path directory, String engine, String store) {
        assumeUsable(engine);
        return host.open(config(directory.toString(), false, store).withCall("plugin.posix.engine", engine));
    }

    /** Skips the test, with the reason, where a native engine is named and the build has no native library. */
    static void assumeUsable(String engine) {
        Optional<String> problem = PURE_JAVA.contains(engine) ? Optional.empty() : NativeIo.unavailableReason();
        assumeTrue(problem.isEmpty(), () -> problem.orElse(""));
    }

    static HostConfig config(String paths, boolean direct, String store) {
        String toml = """
                use_direct_io = %s
                [store]
                arena_gb = 0.0625
                %s
                [plugin.posix]
                active = true
                file_path = "%s"
                """.formatted(direct, store, paths);
        return HostConfig.parse(toml, "test.toml", Map.of());
    }

    @Override
    public void close() {
        host.close();
    }
}
