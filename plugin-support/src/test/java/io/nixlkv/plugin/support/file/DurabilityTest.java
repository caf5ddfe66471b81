package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.plugin.support.testing.ChildJvm;
import io.nixlkv.plugin.support.testing.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The system calls of a durable write, as strace sees them. */
class DurabilityTest {
    @Test
    void dataBeforeTheNameAndTheDirectoriesAfterIt(@TempDir Path root, @TempDir Path traces) throws IOException {
        Path trace = traces.resolve("trace");
        List<String> strace =
                List.of("strace", "-f", "-y", "-o", trace.toString(), "-e", "trace=fsync,fdatasync,link,rename,unlink");
        assumeTrue(Mounts.succeeds(List.of("strace", "-f", "true")), "strace is missing or not permitted");
        try (ChildJvm child = ChildMain.start(strace, "durable", root)) {
            assertEquals("DONE DONE", child.line());
        }
        List<String> calls = Files.readAllLines(trace);
        Path real = root.toRealPath();
        int data = index(calls, 0, "fdatasync(", "/.nixlkv/");
        int link = index(calls, data, "link(", "\"" + real + "/new/deep/k\"");
        int directory = index(calls, link, "fsync(", "<" + real + "/new/deep>");
        int parent = index(calls, directory, "fsync(", "<" + real + "/new>");
        int top = index(calls, parent, "fsync(", "<" + real + ">");
        int secondData = index(calls, top, "fdatasync(", "/.nixlkv/");
        int rename = index(calls, secondData, "rename(", "\"" + real + "/new/deep/k\"");
        index(calls, rename, "fsync(", "<" + real + "/new/deep>");
        assertTrue(
                calls.stream().noneMatch(c -> c.contains("unlink(\"" + real + "/new/deep/k\"")),
                "the target is never removed first");
    }

    /** The native engines link an unnamed file, and rename over an existing object. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "uring", "aio", "posix_aio"})
    void nativeEnginesKeepTheSameOrder(String engine, @TempDir Path root, @TempDir Path traces) throws IOException {
        assumeTrue(NativeIo.isAvailable(), () -> NativeIo.unavailableReason().orElse(""));
        Path trace = traces.resolve("trace");
        List<String> strace = List.of(
                "strace",
                "-f",
                "-y",
                "-o",
                trace.toString(),
                "-e",
                "trace=fsync,fdatasync,linkat,renameat,renameat2,unlinkat,unlink");
        assumeTrue(Mounts.succeeds(List.of("strace", "-f", "true")), "strace is missing or not permitted");
        try (ChildJvm child = ChildMain.start(strace, "durable", root, engine)) {
            assertEquals("DONE DONE", child.line());
        }
        List<String> calls = Files.readAllLines(trace);
        Path real = root.toRealPath();
        int data = index(calls, 0, "fdatasync(", "/.nixlkv/");
        int link = index(calls, data, "linkat(", real + "/new/deep>, \"k\"");
        int directory = index(calls, link, "fsync(", "<" + real + "/new/deep>");
        int parent = index(calls, directory, "fsync(", "<" + real + "/new>");
        int top = index(calls, parent, "fsync(", "<" + real + ">");
        int secondData = index(calls, top, "fdatasync(", "/.nixlkv/");
        int rename = index(calls, secondData, "renameat", real + "/new/deep>, \"k\"");
        index(calls, rename, "fsync(", "<" + real + "/new/deep>");
        assertTrue(
                calls.stream().noneMatch(c -> c.contains("unlink") && c.contains("/new/deep")),
                "the target is never removed first");
    }

    /** One commit of the journal serves many files when the data of all is on its way before the first is synced. */
    @ParameterizedTest
    @ValueSource(strings = {"uring", "aio", "posix_aio"})
    void aBatchIsSyncedTogether(String engine, @TempDir Path root, @TempDir Path traces) throws IOException {
        assumeTrue(NativeIo.isAvailable(), () -> NativeIo.unavailableReason().orElse(""));
        Path trace = traces.resolve("trace");
        List<String> strace = List.of(
                "strace", "-f", "-y", "-o", trace.toString(), "-e", "trace=sync_file_range,fsync,fdatasync,linkat");
        assumeTrue(Mounts.succeeds(List.of("strace", "-f", "true")), "strace is missing or not permitted");
        try (ChildJvm child = ChildMain.start(strace, "durable-batch", root, engine)) {
            assertEquals("DONE", child.line());
        }
        List<String> calls = Files.readAllLines(trace).stream()
                .filter(call -> !call.contains("linkat(") || call.contains("\"many"))
                .toList();
        int started = index(calls, 0, "sync_file_range(", "/.nixlkv/");
        int synced = index(calls, 0, "fdatasync(", "/.nixlkv/");
        int linked = index(calls, 0, "linkat(", "\"many");
        assertEquals(16, count(calls.subList(started - 1, synced), "sync_file_range("), calls::toString);
        assertEquals(16, count(calls.subList(synced - 1, linked), "fdatasync("), calls::toString);
        assertEquals(1, count(calls.subList(linked, calls.size()), "fsync("), calls::toString);
        index(calls, linked + 15, "fsync(", "<" + root.toRealPath() + ">");
    }

    private static long count(List<String> calls, String call) {
        return calls.stream().filter(line -> line.contains(call)).count();
    }

    private static int index(List<String> calls, int from, String call, String object) {
        for (int at = from; at < calls.size(); at++) {
            if (calls.get(at).contains(call) && calls.get(at).contains(object)) {
                return at + 1;
            }
        }
        throw new AssertionError("no " + call + " of " + object + " after line " + from + " in " + calls);
    }
}
