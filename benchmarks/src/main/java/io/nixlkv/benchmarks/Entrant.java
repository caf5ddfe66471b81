package io.nixlkv.benchmarks;

import java.nio.file.Path;

/**
 * One that can be measured.
 *
 * @param name family and variant, such as {@code nixl:use_uring}
 * @param opener makes a contender of it
 */
record Entrant(String name, Opener opener) {

    /** Opens a contender for a setting. */
    @FunctionalInterface
    interface Opener {
        /** @param folder an empty one for all its files, which the caller removes. @throws ContenderException if it fails */
        Contender open(Setting setting, Path folder);
    }

    /** The part of the name before the colon. */
    String family() {
        return family(name);
    }

    /** The part of a name before the colon. */
    static String family(String name) {
        return name.replaceFirst(":.*", "");
    }
}
