package io.nixlkv.nativeio;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for NIXL in the file system and loads nothing: {@code NIXL_HOME}, {@code NIXL_PREFIX}, {@code NIXL_LIBRARY_DIR}, beside
 * {@code NIXL_PLUGIN_DIR}, the loader's path, Python's package folders. One thread, one search.
 */
public final class NixlSearch {
    /** How to get NIXL, as the end of a sentence. */
    public static final String INSTALL =
            "install it with \"pip install nixl-cu12\" and set NIXL_HOME to the folder that holds libnixl_capi.so";

    /** System property that stands for {@code NIXL_HOME} and wins over it. */
    public static final String PROPERTY = "nixlkv.nixl.home";

    private static final String LIBRARY = "libnixl_capi.so";
    private static final String NONE = " has no " + LIBRARY;
    private static final String NO_FOLDER = " is no directory";
    private static final String CORE = "libnixl.so";
    private static final List<String> INSIDE = List.of("", "lib", "lib64", "lib/x86_64-linux-gnu");
    private static final List<String> LOADER_PATH = List.of(
            "/usr/local/nixl",
            "/opt/nvidia/nvda_nixl",
            "/usr/local/lib",
            "/usr/local/lib/x86_64-linux-gnu",
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib64",
            "/usr/lib");

    private final Map<String, String> environment;
    private final List<String> tried = new ArrayList<>();

    private NixlSearch(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * What was found: an installation or a reason.
     *
     * @param installation empty if there is none that can be used
     * @param reason a sentence with every place that was tried and what to do; empty when one was found
     */
    public record Outcome(Optional<NixlInstallation> installation, String reason) {}

    /** Searches with the variables of this process; the system property {@link #PROPERTY} stands for {@code NIXL_HOME}. */
    public static Outcome run() {
        String home = System.getProperty(PROPERTY, "");
        if (home.isBlank()) {
            return run(System.getenv());
        }
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("NIXL_HOME", home);
        return run(environment);
    }

    /** Searches with other variables. */
    public static Outcome run(Map<String, String> environment) {
        NixlSearch search = new NixlSearch(environment);
        Optional<NixlInstallation> found = search.search();
        return new Outcome(
                found,
                found.isPresent()
                        ? ""
                        : "NIXL was not found: " + String.join("; ", search.tried) + ". To use it, " + INSTALL);
    }

    private Optional<NixlInstallation> search() {
        return variable("NIXL_HOME")
                .or(() -> variable("NIXL_PREFIX"))
                .or(() -> variable("NIXL_LIBRARY_DIR"))
                .or(this::besidePlugins)
                .or(this::loaderPath)
                .or(this::packages);
    }

    private Optional<NixlInstallation> variable(String name) {
        String value = environment.getOrDefault(name, "");
        if (value.isBlank()) {
            tried.add(name + " is not set");
            return Optional.empty();
        }
        try {
            return below(name + " = " + value, Path.of(value));
        } catch (InvalidPathException unusable) {
            tried.add(name + " is no path: " + unusable.getReason());
            return Optional.empty();
        }
    }

    private Optional<NixlInstallation> besidePlugins() {
        String value = environment.getOrDefault("NIXL_PLUGIN_DIR", "");
        if (value.isBlank()) {
            tried.add("NIXL_PLUGIN_DIR is not set");
            return Optional.empty();
        }
        Path parent = Path.of(value).toAbsolutePath().normalize().getParent();
        return parent == null ? Optional.empty() : below("beside NIXL_PLUGIN_DIR = " + value, parent);
    }

    private Optional<NixlInstallation> loaderPath() {
        Set<Path> folders = new LinkedHashSet<>();
        for (String part : environment.getOrDefault("LD_LIBRARY_PATH", "").split(":")) {
            if (!part.isBlank()) {
                folders.add(Path.of(part));
            }
        }
        LOADER_PATH.forEach(folder -> folders.add(Path.of(folder)));
        return first("the loader's path", folders);
    }

    private Optional<NixlInstallation> packages() {
        Set<Path> folders = new LinkedHashSet<>();
        for (String part : environment.getOrDefault("PYTHONPATH", "").split(":")) {
            if (!part.isBlank()) {
                folders.add(Path.of(part));
            }
        }
        for (String root : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
            if (!environment.getOrDefault(root, "").isBlank()) {
                folders.addAll(pythons(Path.of(environment.get(root), "lib")));
            }
        }
        if (!environment.getOrDefault("HOME", "").isBlank()) {
            folders.addAll(pythons(Path.of(environment.get("HOME"), ".local/lib")));
        }
        folders.addAll(pythons(Path.of("/usr/local/lib")));
        folders.add(Path.of("/usr/lib/python3/dist-packages"));
        Set<Path> wheels = new LinkedHashSet<>();
        folders.forEach(folder -> wheels.addAll(list(folder, ".nixl*.mesonpy.libs")));
        if (wheels.isEmpty()) {
            tried.add("no Python package folder has NIXL (" + folders.size() + " looked into)");
            return Optional.empty();
        }
        return first("Python's package folders", wheels);
    }

    private static List<Path> pythons(Path lib) {
        List<Path> folders = new ArrayList<>();
        for (Path python : list(lib, "python3*")) {
            folders.add(python.resolve("site-packages"));
            folders.add(python.resolve("dist-packages"));
        }
        return folders;
    }

    private Optional<NixlInstallation> first(String what, Set<Path> folders) {
        int before = tried.size();
        for (Path folder : folders) {
            int at = tried.size();
            Optional<NixlInstallation> found = below(folder.toString(), folder);
            if (found.isPresent()) {
                return found;
            }
            // an ordinary folder without NIXL is not worth a word of its own
            if (tried.size() > at
                    && (tried.get(at).endsWith(NONE) || tried.get(at).endsWith(NO_FOLDER))) {
                tried.remove(at);
            }
        }
        if (tried.size() == before) {
            tried.add(what + " has none (" + folders.size() + " folders looked into)");
        }
        return Optional.empty();
    }

    private Optional<NixlInstallation> below(String place, Path folder) {
        boolean coreAlone = false;
        for (String inside : INSIDE) {
            Path in = folder.resolve(inside);
            Path library = in.resolve(LIBRARY);
            if (Files.isRegularFile(library)) {
                Optional<NixlInstallation> found = judged(place, library);
                if (found.isPresent()) {
                    return found;
                }
                return Optional.empty();
            }
            coreAlone |= Files.isRegularFile(in.resolve(CORE));
        }
        if (coreAlone) {
            tried.add(place + " has NIXL without its C interface: " + LIBRARY + " is missing beside " + CORE
                    + ", as in a source install without the Rust bindings (meson -Drust=true)");
        } else {
            tried.add(place + (Files.isDirectory(folder) ? NONE : NO_FOLDER));
        }
        return Optional.empty();
    }

    private Optional<NixlInstallation> judged(String place, Path library) {
        try {
            Path real = library.toRealPath();
            Optional<String> version = NixlVersion.of(real);
            if (version.isPresent() && !NixlVersion.newEnough(version.get())) {
                tried.add(place + " has NIXL " + version.get() + ", needed is " + NixlVersion.LEAST + " or newer");
                return Optional.empty();
            }
            String plugins = environment.getOrDefault("NIXL_PLUGIN_DIR", "");
            Path folder = plugins.isBlank() ? real.resolveSibling("plugins") : Path.of(plugins);
            return Optional.of(new NixlInstallation(real, folder, version));
        } catch (IOException unreadable) {
            tried.add(place + " cannot be read: " + unreadable);
            return Optional.empty();
        }
    }

    private static List<Path> list(Path folder, String glob) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(entries::add);
        } catch (IOException absent) {
            return List.of();
        }
        entries.sort(null);
        return entries;
    }
}
