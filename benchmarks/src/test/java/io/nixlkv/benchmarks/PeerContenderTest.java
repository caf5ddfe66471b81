package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real child processes that answer as a peer does, or do not. */
class PeerContenderTest {
    private static final Setting SETTING = new Setting(new Workload(4, 4096), IoMode.DIRECT);

    @TempDir
    Path directory;

    private PeerContender open(String script, Duration patience) {
        return new PeerContender(process(script), patience, SETTING, directory.toString());
    }

    private PeerProcess process(String script) {
        return new PeerProcess(
                "nixl:x", List.of("bash", "-c", script), Map.of("KEY", "of the test"), directory.resolve("errors.txt"));
    }

    private String refusal(String script) {
        return assertThrows(ContenderException.class, () -> {
                    try (PeerContender peer = open(script, Duration.ofSeconds(20))) {
                        peer.store(1);
                    }
                })
                .getMessage();
    }

    @Test
    void asksOneLineAndReadsOneLine() throws IOException {
        Path asked = directory.resolve("asked");
        String script =
                "echo ready nixl 1.5.1 3; while read -r line; do echo \"$line\" >> '" + asked + "'; echo ok 42; done";
        try (PeerContender peer = open(script, Duration.ofSeconds(20))) {
            assertEquals(new Contender.Identity("nixl:x", "1.5.1", 3), peer.identity());
            assertEquals(42, peer.store(7));
            assertEquals(42, peer.load(7));
            peer.verify(7);
            peer.drop(7);
        }
        assertEquals(
                List.of("prepare 4 4096 direct " + directory, "store 7", "load 7", "verify 7", "drop 7", "quit"),
                Files.readAllLines(asked));
    }

    @Test
    void aRefusalIsTheReason() {
        assertEquals("nixl:x at \"start\": no such queue", refusal("echo failed no such queue"));
        String said = refusal("echo ready nixl 1 1; read -r x; echo ok 0; read -r x; echo E full >&2; echo failed -2");
        assertEquals("nixl:x at \"store 1\": -2; it said: E full", said);
    }

    @Test
    void anEarlyEndIsExplainedByWhatItPrinted() {
        String said = refusal("echo cannot load the library >&2; exit 3");
        assertEquals("nixl:x ended during \"start\"; it said: cannot load the library", said);
    }

    @Test
    void whatIsNoAnswerIsNoFigure() {
        assertTrue(refusal("echo ready nixl 1 1; read -r x; echo ok soon")
                .contains("not an answer of a peer: \"ok soon\""));
        assertTrue(refusal("echo ok 5").contains("unexpected answer"));
        assertTrue(
                refusal("echo ready nixl 1 1; read -r x; echo ready nixl 1 1").contains("unexpected answer"));
    }

    @Test
    void credentialsComeByTheEnvironment() {
        assertEquals("nixl:x at \"start\": of the test", refusal("echo failed $KEY"));
    }

    @Test
    void silenceEndsAtTheDeadline() {
        ContenderException late =
                assertThrows(ContenderException.class, () -> open("read -r line", Duration.ofMillis(300)));
        assertEquals("nixl:x did not answer \"start\" within 0 s", late.getMessage());
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        ContenderException missing = assertThrows(
                ContenderException.class,
                () -> new PeerProcess("nixl:x", List.of("/nowhere/peers"), Map.of(), directory.resolve("errors.txt")));
        assertTrue(missing.getMessage().startsWith("nixl:x could not be started: "), missing.getMessage());
    }
}
