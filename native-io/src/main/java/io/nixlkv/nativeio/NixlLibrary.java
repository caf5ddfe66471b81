package io.nixlkv.nativeio;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * NIXL, loaded into this process where it lies and for the life of the process: its plugins cannot be unmapped. Thread-safe.
 */
public final class NixlLibrary {
    private static final int WORDS = 4096;

    private final NixlInstallation installation;
    private final long handle;

    private NixlLibrary(NixlInstallation installation, long handle) {
        this.installation = installation;
        this.handle = handle;
    }

    /** Each library is opened once. */
    private static final class Holder {
        private static final ConcurrentMap<NixlInstallation, NixlLibrary> OPEN = new ConcurrentHashMap<>();
    }

    /**
     * Loads NIXL unless it is loaded. {@code NIXL_PLUGIN_DIR} of {@code installation} is handed to it.
     *
     * @throws NixlException with the loader's words if it cannot be loaded
     */
    public static NixlLibrary open(NixlInstallation installation) {
        NativeIo.require();
        return Holder.OPEN.computeIfAbsent(installation, NixlLibrary::load);
    }

    private static NixlLibrary load(NixlInstallation installation) {
        environment(Map.of("NIXL_PLUGIN_DIR", installation.plugins().toString()));
        NativeText words = NativeText.room(WORDS);
        try (NativeText path = NativeText.of(installation.library().toString())) {
            long handle = NixlCalls.libraryOpen(path.address(), words.address(), words.capacity());
            if (handle == 0) {
                throw new NixlException("NIXL cannot be loaded: " + words.read());
            }
            return new NixlLibrary(installation, handle);
        }
    }

    /** Where it lies. */
    public NixlInstallation installation() {
        return installation;
    }

    /** Sets variables of this process unless they are set: a plugin may read some, and only when it is first used. */
    public static void environment(Map<String, String> variables) {
        NativeIo.require();
        variables.forEach((variable, text) -> {
            try (NativeText name = NativeText.of(variable);
                    NativeText value = NativeText.of(text)) {
                NixlCalls.environment(name.address(), value.address());
            }
        });
    }

    /**
     * Loads any library and keeps it, to find out whether it can be loaded.
     *
     * @return the loader's words; empty if it is loaded
     */
    public static Optional<String> loadingProblem(String path) {
        NativeIo.require();
        NativeText words = NativeText.room(WORDS);
        try (NativeText name = NativeText.of(path)) {
            NixlCalls.dynamicLibrary(name.address(), words.address(), words.capacity());
        }
        return Optional.of(words.read()).filter(text -> !text.isEmpty());
    }

    /** Loads {@link NixlInstallation#companions}, so that plugins that need them find them loaded. */
    public static void loadCompanions(NixlInstallation installation) {
        // one that cannot be loaded shows again in the plugin's own failure
        installation.companions().forEach(each -> loadingProblem(each.toString()));
    }

    /** What kind of storage a lane moves to. The numbers are those of NIXL's {@code nixl_mem_t}. */
    public enum Storage {
        OBJECTS(3),
        FILES(4);

        private final int number;

        Storage(int number) {
            this.number = number;
        }
    }

    /**
     * How a lane's agent is made. Immutable.
     *
     * @param plugin NIXL's name of the plugin
     * @param parameters its parameters, never validated by NIXL; may hold secrets
     * @param progressThread whether NIXL may start a thread of its own
     * @param slots descriptors that may be in flight, at least 1
     * @param pieceBytes longer descriptors count as several; 0 if they never do
     */
    public record LaneSettings(
            String plugin,
            Map<String, String> parameters,
            Storage storage,
            boolean progressThread,
            int slots,
            long pieceBytes) {
        public LaneSettings {
            parameters = Map.copyOf(parameters);
        }

        @Override
        public String toString() {
            return plugin + " with the parameters " + parameters.keySet();
        }
    }

    /**
     * A lane whose agent is not made yet.
     *
     * @param agent name of the agent, unique in the process
     */
    public NixlLane lane(String agent, LaneSettings settings) {
        List<String> parameters = new ArrayList<>();
        settings.parameters().forEach((key, value) -> {
            parameters.add(key);
            parameters.add(value);
        });
        try (NativeText name = NativeText.of(agent);
                NativeText plugin = NativeText.of(settings.plugin());
                NativeText pairs = NativeText.list(parameters)) {
            return new NixlLane(NixlCalls.laneNew(
                    handle,
                    name.address(),
                    plugin.address(),
                    pairs.address(),
                    settings.storage().number,
                    settings.progressThread(),
                    settings.slots(),
                    settings.pieceBytes()));
        }
    }

    /** A lane without a plugin, that can only list and describe plugins. */
    public NixlLane listing(String agent) {
        return lane(agent, new LaneSettings("", Map.of(), Storage.FILES, false, 1, 0));
    }
}
