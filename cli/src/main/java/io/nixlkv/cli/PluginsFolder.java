package io.nixlkv.cli;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where plugin jars lie when nobody says otherwise. */
final class PluginsFolder {
    private PluginsFolder() {}

    /** What the launcher says, else the folder {@code plugins} beside the one that this program's jar is in. It may be absent. */
    static Path ofThisProcess() {
        String given = System.getProperty("nixlkv.plugins", "");
        if (!given.isEmpty()) {
            return Path.of(given);
        }
        try {
            Path jar = Path.of(PluginsFolder.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return jar.resolve("../../plugins").normalize();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("the program does not know where it lies", impossible);
        }
    }
}
