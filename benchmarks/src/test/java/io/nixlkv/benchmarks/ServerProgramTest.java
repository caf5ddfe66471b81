package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProgramTest {
    @TempDir
    Path directory;

    @Test
    void aServerThatEndsIsExplainedByWhatItPrinted() {
        ContenderException failed = assertThrows(
                ContenderException.class,
                () -> new ServerProgram(
                        "minio",
                        List.of("bash", "-c", "echo no $WHAT; exit 1"),
                        Map.of("WHAT", "disk"),
                        ServerProgram.freePort(),
                        directory.resolve("log")));
        assertTrue(failed.getMessage().startsWith("minio could not be started: it does not listen on port "));
        assertTrue(failed.getMessage().endsWith("it said: no disk\n"), failed.getMessage());
    }

    @Test
    void aServerListensUntilItIsClosed() throws IOException {
        int port = ServerProgram.freePort();
        String listen = "import socket,time; s=socket.create_server(('127.0.0.1',%d)); time.sleep(600)".formatted(port);
        try (ServerProgram server = new ServerProgram(
                "server", List.of("python3", "-c", listen), Map.of(), port, directory.resolve("log"))) {
            assertEquals("server", server.toString());
            connect(port);
        }
        assertThrows(ConnectException.class, () -> connect(port));
    }

    private static void connect(int port) throws IOException {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
    }
}
