package io.nixlkv.nativeio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The system's 2 MiB pages that are set aside for explicit use.
 *
 * @param total how many there are
 * @param available how many of them nobody uses or has a promise of
 */
record HugePagePool(long total, long available) {
    private static final Path SYSTEM = Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB");

    /** The pool of this machine; empty where the kernel has no pages of that size. */
    static Optional<HugePagePool> ofSystem() {
        return read(SYSTEM);
    }

    /** Reads a folder of the form of {@code /sys/kernel/mm/hugepages/hugepages-2048kB}; empty if it is not there. */
    static Optional<HugePagePool> read(Path folder) {
        try {
            long free = number(folder, "free_hugepages") - number(folder, "resv_hugepages");
            return Optional.of(new HugePagePool(number(folder, "nr_hugepages"), Math.max(0, free)));
        } catch (IOException | NumberFormatException absent) {
            return Optional.empty();
        }
    }

    private static long number(Path folder, String file) throws IOException {
        return Long.parseLong(Files.readString(folder.resolve(file)).strip());
    }

    /** What to do to get {@code needed} pages, with the command; as the rest of a sentence. */
    String advice(long needed) {
        if (available >= needed) {
            return "there are " + available + ", so a limit of this process or its control group refuses them"
                    + " (hugetlb.2MB.max)";
        }
        return "only " + available + " are free; set them aside with \"sysctl -w vm.nr_hugepages="
                + (total + needed - available) + "\"";
    }
}
