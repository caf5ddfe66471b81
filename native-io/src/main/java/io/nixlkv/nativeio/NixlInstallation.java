package io.nixlkv.nativeio;

import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Path and version for people. */
    public String describe() {
        return library + version.map(found -> ", version " + found).orElse(", version unknown");
    }
}
