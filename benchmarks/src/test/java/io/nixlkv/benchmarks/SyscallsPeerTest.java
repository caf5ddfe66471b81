package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real installer builds the real peer, and both sides of the protocol meet. */
class SyscallsPeerTest {
    private static final Path PEERS = Path.of("peers").toAbsolutePath();

    @TempDir
    Path directory;

    private Path objects;

    @BeforeEach
    void needACompiler() throws IOException {
        boolean found = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "gcc")));
        assumeTrue(found, "gcc is not on the PATH; it builds the peer");
        objects = Files.createDirectory(directory.resolve("objects of a peer"));
    }

    private PeerContender open(Workload workload) {
        return open("syscalls", workload);
    }

    private PeerContender open(String peer, Workload workload) {
        List<String> command = List.of("env", "PEERS_HOME=" + directory.resolve("home"), PEERS.toString(), peer, "2");
        return new PeerContender(
                new PeerProcess(peer + ":2", command, Map.of(), directory.resolve("errors.txt")),
                Duration.ofMinutes(1),
                new Setting(workload, IoMode.BUFFERED),
                objects.toString());
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(objects)) {
            return files.sorted().toList();
        }
    }

    @Test
    void storesLoadsVerifiesAndDrops() throws IOException {
        try (PeerContender peer = open(new Workload(7, 5000))) {
            assertEquals(2, peer.identity().threads());
            assertTrue(peer.store(1) > 0);
            assertTrue(peer.load(1) > 0);
            peer.verify(1);
            assertEquals(7, files().size());
            for (Path file : files()) {
                assertEquals(5000, Files.size(file));
            }
            assertEquals(
                    (byte) (6 * 131 + 4999 * 7 + (4999 >> 8)), Files.readAllBytes(objects.resolve("1_6.bin"))[4999]);
            peer.drop(1);
            assertEquals(List.of(), files());
        }
    }

    @Test
    void slotsAreTwoBatchesOfOneFile() throws IOException {
        try (PeerContender peer = open("slots", new Workload(3, 5000))) {
            assertEquals("slots:2", peer.identity().name());
            for (long round = 1; round < 5; round++) {
                assertTrue(peer.store(round) > 0);
                assertTrue(peer.load(round) > 0);
                peer.verify(round);
                peer.drop(round);
            }
            assertEquals(List.of(objects.resolve("slots")), files());
            byte[] bytes = Files.readAllBytes(files().get(0));
            assertEquals(2 * 3 * 5000, bytes.length);
            assertEquals((byte) (2 * 131 + 4999 * 7 + (4999 >> 8)), bytes[29_999]);
        }
    }

    @Test
    void oneWrongByteIsFound() throws IOException {
        try (PeerContender peer = open(new Workload(3, 4096))) {
            peer.store(5);
            byte[] bytes = Files.readAllBytes(objects.resolve("5_2.bin"));
            bytes[77] ^= 1;
            Files.write(objects.resolve("5_2.bin"), bytes);
            ContenderException wrong = assertThrows(ContenderException.class, () -> peer.verify(5));
            assertEquals("syscalls:2 at \"verify 5\": byte 77 of object 2 is wrong after a load", wrong.getMessage());
        }
    }

    @Test
    void aNameThatIsTakenAndOneThatIsMissingAreFailures() {
        try (PeerContender peer = open(new Workload(1, 4096))) {
            peer.store(5);
            assertTrue(assertThrows(ContenderException.class, () -> peer.store(5))
                    .getMessage()
                    .endsWith("5_0.bin: File exists"));
            assertTrue(assertThrows(ContenderException.class, () -> peer.load(6))
                    .getMessage()
                    .endsWith("6_0.bin: No such file or directory"));
        }
    }
}
