package io.nixlkv.plugin.docamemos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Free huge pages of 2 MiB. {@code /proc/meminfo} tells only of the default size, which may be another.
 *
 * @param folder {@code /sys/kernel/mm/hugepages}, or one like it
 */
record HugePages(Path folder) {
    /** Those of this system. */
    static final HugePages SYSTEM = new HugePages(Path.of("/sys/kernel/mm/hugepages"));

    /** Why {@code needed} pages are not there; empty when they are. */
    Optional<String> lacking(long needed) {
        if (needed == 0) {
            return Optional.empty();
        }
        Path file = folder.resolve("hugepages-2048kB/free_hugepages");
        long found;
        try {
            found = Long.parseLong(Files.readString(file).strip());
        } catch (IOException | NumberFormatException none) {
            found = 0;
        }
        return found >= needed
                ? Optional.empty()
                : Optional.of("it needs " + needed + " free 2 MiB hugepages, found " + found + " (" + file
                        + "); set vm.nr_hugepages, or min_free_hugepages = 0 if this device does without");
    }
}
