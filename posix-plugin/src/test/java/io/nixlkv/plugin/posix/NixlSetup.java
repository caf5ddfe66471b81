package io.nixlkv.plugin.posix;

import io.nixlkv.plugin.support.testing.NeedsNixl;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** POSIX on one directory with engine {@code nixl}. */
abstract class NixlSetup extends NativeSetup {
    private final String queue;

    NixlSetup(String queue, boolean direct) {
        super("nixl", direct);
        NeedsNixl.Condition.useInstalled();
        this.queue = queue;
    }

    @Override
    public Map<String, String> config(Path location) {
        Map<String, String> config = new HashMap<>(super.config(location));
        config.put(queue, "true");
        return config;
    }
}
