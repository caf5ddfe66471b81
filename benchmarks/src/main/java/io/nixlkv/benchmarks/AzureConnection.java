package io.nixlkv.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A connection string of Azure Storage. It holds a secret: only {@link #endpoint} may be shown.
 *
 * @param text the whole string
 */
record AzureConnection(String text) {
    private static final String API = "2021-12-02";
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);
    private static final int CREATED = 201;

    /** Of an emulator. */
    static AzureConnection local(int port, String account, String key) {
        return new AzureConnection(
                "DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;BlobEndpoint=http://127.0.0.1:%d/%s"
                        .formatted(account, key, port, account));
    }

    /** Where blobs are. @throws IllegalArgumentException if the string names no account and no endpoint */
    String endpoint() {
        String given = part("BlobEndpoint");
        if (!given.isEmpty()) {
            return given.replaceFirst("[?].*", "");
        }
        String account = part("AccountName");
        if (account.isEmpty()) {
            throw new IllegalArgumentException("a connection string has AccountName or BlobEndpoint in it");
        }
        String scheme = part("DefaultEndpointsProtocol");
        String suffix = part("EndpointSuffix");
        return (scheme.isEmpty() ? "https" : scheme) + "://" + account + ".blob."
                + (suffix.isEmpty() ? "core.windows.net" : suffix);
    }

    /** Makes a container with the account's key. @throws ContenderException if the service refuses */
    void createContainer(String name) {
        String date = DATE.format(ZonedDateTime.now(ZoneOffset.UTC));
        URI place = URI.create(endpoint() + "/" + name);
        String signed = "PUT" + "\n".repeat(12) + "x-ms-date:" + date + "\nx-ms-version:" + API + "\n/"
                + part("AccountName") + place.getPath() + "\nrestype:container";
        HttpRequest request = HttpRequest.newBuilder(URI.create(place + "?restype=container"))
                .timeout(Duration.ofSeconds(30))
                .header("x-ms-date", date)
                .header("x-ms-version", API)
                .header("Authorization", "SharedKey " + part("AccountName") + ":" + signature(signed))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            int status = HttpClient.newHttpClient()
                    .send(request, BodyHandlers.discarding())
                    .statusCode();
            if (status != CREATED) {
                throw new ContenderException("the container " + name + " could not be made: HTTP status " + status);
            }
        } catch (IOException e) {
            throw new ContenderException("the container " + name + " could not be made: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ContenderException("interrupted", e);
        }
    }

    private String signature(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(part("AccountKey")), mac.getAlgorithm()));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String part(String name) {
        Map<String, String> parts = new HashMap<>();
        for (String part : text.split(";")) {
            String[] both = part.split("=", 2);
            parts.put(both[0].strip(), both.length == 2 ? both[1].strip() : "");
        }
        return parts.getOrDefault(name, "");
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "connection to " + endpoint();
    }
}
