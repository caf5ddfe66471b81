package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AzureConnectionTest {
    private static final String KEY = "b25seSBhIHRlc3Q=";

    @Test
    void onlyTheEndpointIsShown() {
        AzureConnection emulator = AzureConnection.local(10000, "account", KEY);
        assertEquals("http://127.0.0.1:10000/account", emulator.endpoint());
        assertFalse(emulator.toString().contains(KEY));
        assertEquals(
                "https://kv.blob.core.windows.net",
                new AzureConnection("AccountName=kv;AccountKey=" + KEY + ";EndpointSuffix=core.windows.net")
                        .endpoint());
        assertEquals(
                "https://kv.example.org/x",
                new AzureConnection("BlobEndpoint=https://kv.example.org/x?sig=secret").endpoint());
        assertThrows(IllegalArgumentException.class, () -> new AzureConnection("AccountKey=" + KEY).endpoint());
    }

    @Test
    void aContainerIsAskedForWithASignature() throws IOException {
        List<String> asked = new ArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            asked.add(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(asked.size() > 2 ? 403 : 201, -1);
            exchange.close();
        });
        server.start();
        try {
            AzureConnection connection =
                    AzureConnection.local(server.getAddress().getPort(), "account", KEY);
            connection.createContainer("kv");
            assertEquals("PUT /account/kv?restype=container", asked.get(0));
            assertTrue(asked.get(1).matches("SharedKey account:[A-Za-z0-9+/]{43}="), asked.get(1));
            assertEquals(
                    "the container kv could not be made: HTTP status 403",
                    assertThrows(ContenderException.class, () -> connection.createContainer("kv"))
                            .getMessage());
        } finally {
            server.stop(0);
        }
    }
}
