package io.nixlkv.nativeio;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A place where NIXL is installed, in a version that is new enough. Immutable.
 *
 * @param library {@code libnixl_capi.so}, with symbolic links resolved
 * @param plugins folder of its native plugins
 * @param version version of the package that it belongs to; empty where nothing tells
 */
public record NixlInstallation(Path library, Path plugins, Optional<String> version) {
    private static final List<String> COMPANIONS = List.of(
            "nvidia/cuda_runtime/lib/libcudart.so.12",
            "nvidia/cu13/lib/libcudart.so.13",
            "nvidia/cufile/lib/libcufile.so.0",
            "nvidia/cu13/lib/libcufile.so.0");

    /** File of a native plugin; it need not exist. */
    public Path plugin(String name) {
        return plugins.resolve("libplugin_" + name.toUpperCase(Locale.ROOT) + ".so");
    }

    /** Why a native plugin is not there; empty when its file is. Nothing is loaded. */
    public Optional<String> lacking(String name) {
        return Files.isRegularFile(plugin(name))
                ? Optional.empty()
                : Optional.of("this NIXL (" + describe() + ") has no plugin " + name + ": " + plugin(name)
                        + " does not exist; install a NIXL that was built with it or set NIXL_PLUGIN_DIR");
    }

    /**
     * Libraries of CUDA that the GDS plugins need, where Python's package manager has put them beside NIXL; none elsewhere.
     */
    public List<Path> companions() {
        Path packages = library.getParent().getParent();
        return packages == null
                ? List.of()
                : COMPANIONS.stream()
                        .map(packages::resolve)
                        .filter(Files::isRegularFile)
                        .toList();
    }

    /** Path and version for people. */
    public String describe() {
        return library + version.map(found -> ", version " + found).orElse(", version unknown");
    }
}
