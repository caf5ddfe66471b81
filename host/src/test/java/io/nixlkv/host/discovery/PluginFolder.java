package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;

/** Looks at a plugins folder through a catalog that is closed again. */
final class PluginFolder {
    private PluginFolder() {}

    /** Asserts that GOOD of {@code good.jar} is found, and returns the one reason given for {@code badJar}. */
    static String reasonBesideGood(Path folder, String badJar) {
        TestJar.good(folder, "good.jar", "GOOD");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("good.jar", catalog.find("GOOD").orElseThrow().source());
            List<String> reasons = reasons(catalog, badJar);
            assertEquals(1, reasons.size(), () -> "reasons for " + badJar + ": " + catalog.rejections());
            assertTrue(reasons.get(0).lines().count() == 1, () -> "one line: " + reasons.get(0));
            return reasons.get(0);
        }
    }

    /** The names of the strategies that come from jars, in the catalog's order. */
    static List<String> namesFromJars(PluginCatalog catalog) {
        return catalog.strategies().stream()
                .filter(found -> !found.source().equals(PluginCatalog.CLASS_PATH))
                .map(found -> found.info().name())
                .toList();
    }

    static List<String> reasons(PluginCatalog catalog, String source) {
        return catalog.rejections().stream()
                .filter(rejection -> rejection.source().equals(source))
                .map(Rejection::reason)
                .toList();
    }
}
