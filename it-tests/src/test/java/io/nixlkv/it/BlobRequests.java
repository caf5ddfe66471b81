package io.nixlkv.it;

import io.nixlkv.plugin.support.testing.AzuriteProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;

/** Requests to Azurite signed with the account's key, without any SDK. */
final class BlobRequests implements ObjectRequests {
    private static final String VERSION = "2021-08-06";
    private static final byte[] NOTHING = new byte[0];

    private final HttpClient client = HttpClient.newHttpClient();
    private final AzuriteProcess server;
    private final String container;

    BlobRequests(AzuriteProcess server, String container) {
        this.server = server;
        this.container = container;
    }

    @Override
    public int createPlace() {
        return send("PUT", "", "restype=container", NOTHING).statusCode();
    }

    @Override
    public void put(String key, byte[] value) {
        require(send("PUT", key, "", value), 201, key);
    }

    @Override
    public byte[] get(String key) {
        return require(send("GET", key, "", NOTHING), 200, key);
    }

    private static byte[] require(HttpResponse<byte[]> answer, int wanted, String key) {
        if (answer.statusCode() != wanted) {
            throw new AssertionError(
                    key + ": " + answer.statusCode() + " " + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer.body();
    }

    private HttpResponse<byte[]> send(String method, String key, String query, byte[] body) {
        String address = server.address() + "/" + container + (key.isEmpty() ? "" : "/" + ObjectRequests.escaped(key));
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        boolean blob = method.equals("PUT") && !key.isEmpty();
        String length = body.length == 0 ? "" : Integer.toString(body.length);
        String text = method + "\n\n\n" + length + "\n\n\n\n\n\n\n\n\n" + (blob ? "x-ms-blob-type:BlockBlob\n" : "")
                + "x-ms-date:" + date + "\nx-ms-version:" + VERSION + "\n/" + AzuriteProcess.ACCOUNT
                + URI.create(address).getRawPath() + (query.isEmpty() ? "" : "\n" + query.replace('=', ':'));
        String signature = Base64.getEncoder()
                .encodeToString(ObjectRequests.hmac(Base64.getDecoder().decode(AzuriteProcess.KEY), text));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + (query.isEmpty() ? "" : "?" + query)))
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .header("x-ms-date", date)
                .header("x-ms-version", VERSION)
                .header("Authorization", "SharedKey " + AzuriteProcess.ACCOUNT + ":" + signature);
        if (blob) {
            request.header("x-ms-blob-type", "BlockBlob");
        }
        try {
            return client.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
