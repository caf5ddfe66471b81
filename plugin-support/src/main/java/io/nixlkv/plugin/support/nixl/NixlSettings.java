package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NixlLibrary.LaneSettings;
import io.nixlkv.nativeio.NixlLibrary.Storage;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How engine {@code nixl} is opened. Immutable; {@link #toString} shows no parameter's value.
 *
 * @param plugin NIXL's name of the native plugin
 * @param parameters its parameters as it gets them; NIXL ignores unknown ones, so the strategy has validated them
 * @param slots descriptors that one agent may have in flight: more would be lost for good, so a lane never has more
 * @param pieceBytes length from which the plugin cuts a descriptor into several; 0 if it never does
 * @param silent whether the plugin may call a short or failed read a success: a mark at the end of each slice tells then
 * @param progressThread whether NIXL may start a thread of its own
 * @param environment variables that the plugin reads of its process; set before the first agent unless they are set
 */
public record NixlSettings(
        String plugin,
        Map<String, String> parameters,
        int slots,
        long pieceBytes,
        boolean silent,
        boolean progressThread,
        Map<String, String> environment) {
    /** The engine's name. */
    public static final String ENGINE = "nixl";

    public NixlSettings {
        parameters = Map.copyOf(parameters);
        environment = Map.copyOf(environment);
        if (slots < 1 || pieceBytes < 0) {
            throw new IllegalArgumentException("slots must be positive, and pieceBytes not negative");
        }
    }

    /** Settings of a plugin that cuts nothing and tells what it read. */
    public static NixlSettings of(String plugin, Map<String, String> parameters, int slots) {
        return new NixlSettings(plugin, parameters, slots, 0, false, false, Map.of());
    }

    /** The same for a plugin that may be silent about failures. */
    public NixlSettings silently() {
        return new NixlSettings(plugin, parameters, slots, pieceBytes, true, progressThread, environment);
    }

    /** The same for a plugin that cuts longer descriptors. */
    public NixlSettings cutAt(long bytes) {
        return new NixlSettings(plugin, parameters, slots, bytes, silent, progressThread, environment);
    }

    /** The same for a plugin that reads variables of its process. */
    public NixlSettings with(Map<String, String> variables) {
        return new NixlSettings(plugin, parameters, slots, pieceBytes, silent, progressThread, variables);
    }

    LaneSettings lane(Storage storage) {
        return new LaneSettings(plugin, new LinkedHashMap<>(parameters), storage, progressThread, slots, pieceBytes);
    }

    @Override
    public String toString() {
        return plugin + " with the parameters " + parameters.keySet();
    }
}
