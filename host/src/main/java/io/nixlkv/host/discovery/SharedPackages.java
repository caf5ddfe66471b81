package io.nixlkv.host.discovery;

import java.util.List;

/**
 * The packages that host and plugins have in common. They always come from the host, also when a plugin jar carries copies:
 * two copies of one interface would make a plugin's strategy none of ours.
 */
final class SharedPackages {
    private static final List<String> PREFIXES = List.of(
            "io.nixlkv.spi.",
            "io.nixlkv.nativeio.",
            "io.nixlkv.plugin.support.",
            "org.slf4j.",
            "org.bytedeco.javacpp.",
            "org.pf4j.");

    private SharedPackages() {}

    /** Whether the class called {@code className} comes from the host. */
    static boolean contain(String className) {
        return PREFIXES.stream().anyMatch(className::startsWith);
    }

    /** Whether the resource at {@code path} lies in one of these packages. */
    static boolean containResource(String path) {
        return contain(path.replace('/', '.'));
    }
}
