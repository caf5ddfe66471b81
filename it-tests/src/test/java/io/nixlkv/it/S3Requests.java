package io.nixlkv.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/**
 * Signed requests to an S3 server without any SDK, so that what a test finds behind the product's back depends on nothing that the
 * product uses. Signature version 4, path style, region us-east-1.
 */
final class S3Requests implements ObjectRequests {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final String SIGNED = "host;x-amz-content-sha256;x-amz-date";
    private static final byte[] NOTHING = new byte[0];

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI endpoint;
    private final String accessKey;
    private final String secretKey;
    private final String bucket;

    S3Requests(URI endpoint, String accessKey, String secretKey, String bucket) {
        this.endpoint = endpoint;
        this.accessKey = accessKey;
        this.secretKey = secretKey;
        this.bucket = bucket;
    }

    @Override
    public int createPlace() {
        return send("PUT", "", NOTHING).statusCode();
    }

    @Override
    public void put(String key, byte[] value) {
        require(send("PUT", key, value), key);
    }

    @Override
    public byte[] get(String key) {
        return require(send("GET", key, NOTHING), key);
    }

    private static byte[] require(HttpResponse<byte[]> answer, String key) {
        if (answer.statusCode() != 200) {
            throw new AssertionError(
                    key + ": " + answer.statusCode() + " " + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer.body();
    }

    private HttpResponse<byte[]> send(String method, String key, byte[] body) {
        String path = "/" + bucket + (key.isEmpty() ? "" : "/" + ObjectRequests.escaped(key));
        String now = TIME.format(Instant.now());
        String hash = HexFormat.of().formatHex(sha256(body));
        String scope = now.substring(0, 8) + "/us-east-1/s3/aws4_request";
        String canonical = String.join(
                "\n",
                method,
                path,
                "",
                "host:" + endpoint.getAuthority(),
                "x-amz-content-sha256:" + hash,
                "x-amz-date:" + now,
                "",
                SIGNED,
                hash);
        String text = String.join(
                "\n",
                "AWS4-HMAC-SHA256",
                now,
                scope,
                HexFormat.of().formatHex(sha256(canonical.getBytes(StandardCharsets.UTF_8))));
        byte[] signing = ("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8);
        for (String part : scope.split("/")) {
            signing = ObjectRequests.hmac(signing, part);
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint + path))
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .header("x-amz-content-sha256", hash)
                .header("x-amz-date", now)
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=" + accessKey + "/" + scope + ", SignedHeaders=" + SIGNED
                                + ", Signature=" + HexFormat.of().formatHex(ObjectRequests.hmac(signing, text)))
                .build();
        try {
            return client.send(request, BodyHandlers.ofByteArray());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
