package io.nixlkv.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.nativeio.NixlLibrary.LaneSettings;
import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.nativeio.TransferRequest.Publish;
import io.nixlkv.nativeio.TransferRequest.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lane on the real library. */
class NixlLaneTest {
    private static final int LENGTH = 8192;
    private static final long DEADLINE = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    Path directory;

    private NixlLibrary library;
    private NativeMemory memory;
    private NixlLane lane;
    private final TransferRequest request = NativeIo.isAvailable() ? new TransferRequest() : null;

    @BeforeEach
    void findNixl() {
        assumeTrue(NativeIo.isAvailable(), () -> NativeIo.unavailableReason().orElse(""));
        NixlSearch.Outcome outcome = NixlHome.search();
        assumeTrue(outcome.installation().isPresent(), outcome.reason());
        library = NixlLibrary.open(outcome.installation().get());
        memory = new NativeMemory(1 << 20, NativeMemory.Pages.ORDINARY);
    }

    @AfterEach
    void close() {
        if (lane != null) {
            lane.close();
        }
        if (memory != null) {
            memory.close();
        }
    }

    private void open(String queue, int slots) {
        lane = library.lane(
                "nixl-lane-test-" + System.nanoTime(),
                new LaneSettings(
                        "POSIX", Map.of(queue, "true", "ios_pool_size", "64"), Storage.FILES, false, slots, 0));
        lane.addMemory(memory.segment(0));
        lane.open();
    }

    private void start(int items, boolean write) {
        request.start(items, write, false, false, write ? Publish.NEW : Publish.NOT, 0644, DEADLINE);
    }

    private void fill(int from, int bytes, int seed) {
        for (int i = 0; i < bytes; i++) {
            memory.segment(0).put(from + i, (byte) (i * 31 + seed));
        }
    }

    private void expect(int from, int bytes, int seed) {
        for (int i = 0; i < bytes; i++) {
            assertEquals((byte) (i * 31 + seed), memory.segment(0).get(from + i), "byte " + i);
        }
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"use_aio", "use_uring", "use_posix_aio"})
    void onlyTheCulpritFails(String queue) throws IOException {
        open(queue, 64);
        for (int i = 0; i < 3; i++) {
            fill(i * LENGTH, LENGTH, i);
        }
        start(3, true);
        for (int i = 0; i < 3; i++) {
            // the second has no directory for its temporary
            String temporary = i == 1 ? path("none/t1") : path("t" + i);
            request.add(memory.address(0) + i * LENGTH, LENGTH, temporary, path("object" + i), false);
        }
        lane.files(request);
        assertEquals(Result.DONE, request.result(0));
        assertEquals(Result.NO_FILE, request.result(1));
        assertEquals(2, request.errno(1));
        assertEquals(Result.DONE, request.result(2));
        assertEquals(3, request.repeated());
        assertEquals(LENGTH, Files.size(directory.resolve("object0")));
        assertTrue(Files.notExists(directory.resolve("t0")));

        Files.writeString(directory.resolve("short"), "short");
        Files.createFile(directory.resolve("empty"));
        fill(0, 6 * LENGTH, 99);
        start(6, false);
        List<String> names = List.of("object2", "short", "none", "empty", ".", "object0");
        for (int i = 0; i < names.size(); i++) {
            request.add(memory.address(0) + i * LENGTH, LENGTH, path(names.get(i)), "", false);
        }
        lane.files(request);
        assertEquals(Result.DONE, request.result(0));
        assertEquals(Result.OTHER_LENGTH, request.result(1));
        assertEquals(5, request.stored(1));
        assertEquals(Result.ABSENT, request.result(2));
        assertEquals(Result.ABSENT, request.result(3));
        assertEquals(Result.NOT_PLAIN, request.result(4));
        assertEquals(Result.DONE, request.result(5));
        assertEquals(0, request.repeated());
        expect(0, LENGTH, 2);
        expect(5 * LENGTH, LENGTH, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"use_aio", "use_uring", "use_posix_aio"})
    void moreItemsThanSlotsGoInSeveralRequests(String queue) {
        open(queue, 64);
        fill(0, 200 * 1024, 5);
        start(200, true);
        for (int i = 0; i < 200; i++) {
            request.add(memory.address(0) + i * 1024, 1024, path("t" + i), path("o" + i), false);
        }
        lane.files(request);
        for (int i = 0; i < 200; i++) {
            assertEquals(Result.DONE, request.result(i), "item " + i);
        }
        assertEquals(4, request.requests());
        assertEquals(0, request.reopened());
    }

    @ParameterizedTest
    @ValueSource(strings = {"use_aio", "use_uring", "use_posix_aio"})
    void aFailureOfTheQueueDoesNotOutliveItsRequest(String queue) throws IOException {
        open(queue, 64);
        Path slab = Files.write(directory.resolve("slab"), new byte[LENGTH]);
        long device = lane.keep(false, slab.toString());
        start(2, false);
        request.addKept(memory.address(0), 0, LENGTH, device);
        request.addKept(memory.address(0) + LENGTH, LENGTH / 2, LENGTH, device);
        lane.files(request);
        assertEquals(Result.DONE, request.result(0));
        assertEquals(Result.REFUSED, request.result(1));
        assertTrue(request.reopened() > 0);
        start(1, false);
        request.addKept(memory.address(0), 0, LENGTH, device);
        lane.files(request);
        assertEquals(Result.DONE, request.result(0));
        lane.drop(device);
    }

    @Test
    void anExistingObjectIsLeftToTheCaller() throws IOException {
        open("use_aio", 64);
        Files.writeString(directory.resolve("object"), "first");
        start(1, true);
        request.add(memory.address(0), LENGTH, path("t"), path("object"), false);
        lane.files(request);
        assertEquals(Result.NOT_PLAIN, request.result(0));
        assertEquals("first", Files.readString(directory.resolve("object")));
        request.start(1, true, true, false, Publish.REPLACE, 0600, DEADLINE);
        request.add(memory.address(0), LENGTH, path("t"), path("object"), true);
        lane.files(request);
        assertEquals(Result.DONE, request.result(0));
        assertEquals(LENGTH, Files.size(directory.resolve("object")));
        assertEquals(
                "rw-------",
                java.nio.file.attribute.PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("object"))));
    }

    @Test
    void queriesTakeBarePaths() throws IOException {
        open("use_aio", 64);
        Files.writeString(directory.resolve("there"), "x");
        assertEquals(
                List.of(NixlLane.Presence.PRESENT, NixlLane.Presence.ABSENT),
                lane.query(List.of(path("there"), path("none"))));
    }

    @Test
    void aWrongParameterIsRefusedWithTheCall() {
        lane = library.lane(
                "nixl-lane-test-wrong",
                new LaneSettings("POSIX", Map.of("ios_pool_size", "abc"), Storage.FILES, false, 64, 0));
        String message = assertThrows(NixlException.class, lane::open).getMessage();
        assertTrue(message.contains("create_backend answered -2 (backend error)"), message);
    }

    @Test
    void pluginsAreListedAndDescribed() {
        lane = library.listing("nixl-lane-test-listing");
        lane.open();
        assertTrue(lane.plugins().contains("POSIX"), lane.plugins().toString());
        String posix = lane.describe("POSIX");
        assertEquals(
                "0 4",
                List.of(posix.lines().findFirst().orElseThrow().split(" ")).stream()
                        .sorted()
                        .reduce((a, b) -> a + " " + b)
                        .orElse(""));
        assertTrue(posix.contains("ios_pool_size=65536"), posix);
        assertEquals("", lane.describe("NONE"));
    }

    @Test
    void theLoadersWordsTellWhatIsMissing() {
        String words = NixlLibrary.loadingProblem("/nonexistent/libcufile.so.0").orElseThrow();
        assertTrue(words.contains("No such file or directory"), words);
    }
}
