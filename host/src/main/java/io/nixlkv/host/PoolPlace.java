package io.nixlkv.host;

import io.nixlkv.host.config.ModeSettings;
import io.nixlkv.host.selection.Selection;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Where the state of a static pool is when nobody says. */
final class PoolPlace {
    private PoolPlace() {}

    /**
     * For a file store, beside the slots of its first directory: what names the directory finds the index too. For other stores,
     * below the user's state directory, in a folder of the store's own.
     *
     * @param file whether the store keeps files
     * @param place names the store
     */
    static Path stateDir(ModeSettings modes, Selection selection, StrategyConfig config, boolean file, String place) {
        if (!modes.stateDir().isEmpty()) {
            return Path.of(modes.stateDir());
        }
        StrategyInfo info = selection.strategy().info();
        List<String> paths = info.parameters().stream()
                .filter(parameter -> parameter.type() == Parameter.Type.PATHS)
                .flatMap(parameter -> config.paths(parameter.name()).stream())
                .toList();
        if (file && !paths.isEmpty()) {
            return Path.of(paths.get(0)).resolve(".nixlkv").resolve("pools").resolve("state");
        }
        String set = System.getenv("XDG_STATE_HOME");
        Path home = set == null || set.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : Path.of(set);
        StringBuilder identity = new StringBuilder(info.name()).append('\n').append(place);
        info.parameters().stream()
                .filter(parameter -> !parameter.secret())
                .forEach(parameter -> identity.append('\n')
                        .append(parameter.name())
                        .append('=')
                        .append(config.text(parameter.name())));
        UUID folder = UUID.nameUUIDFromBytes(identity.toString().getBytes(StandardCharsets.UTF_8));
        return home.resolve("nixlkv").resolve("pools").resolve(info.name() + "-" + folder);
    }
}
