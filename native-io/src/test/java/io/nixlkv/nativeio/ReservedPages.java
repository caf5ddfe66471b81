package io.nixlkv.nativeio;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Huge pages set aside for one test, and given back after it. Needs root where the system has none to spare. */
final class ReservedPages implements AutoCloseable {
    private static final Path COUNT = Path.of("/proc/sys/vm/nr_hugepages");

    private final long before;

    ReservedPages(long wanted) throws IOException {
        HugePagePool pool = HugePagePool.ofSystem().orElse(null);
        assumeTrue(pool != null, "this kernel has no pages of 2 MiB");
        before = pool.total();
        if (pool.available() < wanted) {
            assumeTrue(Files.isWritable(COUNT), "setting huge pages aside needs root");
            Files.writeString(COUNT, Long.toString(before + wanted - pool.available()));
            long found = HugePagePool.ofSystem().orElseThrow().available();
            if (found < wanted) {
                close();
            }
            assumeTrue(found >= wanted, () -> "the system gave " + found + " of " + wanted + " huge pages");
        }
    }

    /** Page size of the mapping that begins at {@code address}, as the kernel tells. */
    int pageKilobytes(long address) throws IOException {
        List<String> maps = Files.readAllLines(Path.of("/proc/self/smaps"));
        int start = IntStream.range(0, maps.size())
                .filter(line -> maps.get(line).startsWith(Long.toHexString(address) + "-"))
                .findFirst()
                .orElseThrow();
        return maps.subList(start, maps.size()).stream()
                .filter(line -> line.startsWith("KernelPageSize:"))
                .map(line -> Integer.parseInt(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() throws IOException {
        if (Files.isWritable(COUNT)) {
            Files.writeString(COUNT, Long.toString(before));
        }
    }
}
