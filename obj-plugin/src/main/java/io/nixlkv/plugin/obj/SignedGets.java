package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.Answer;
import io.nixlkv.plugin.support.object.Slice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * Whole objects by one GET each: made here, signed and sent by the SDK's own signer and HTTP client, and none of the SDK's pipeline
 * around them, which costs more than a small object's transfer. An answer that is not the object, or the word that there is none,
 * is left to the ordinary client, which knows what it means and what is worth a second attempt. Thread-safe.
 */
final class SignedGets {
    /** So often in a row the ordinary client may get what this one could not, before this one rests. */
    private static final int SURPRISES = 3;

    private static final long REST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int MOST_OF_AN_ERROR = 16 << 10;
    private static final String NO_SUCH_KEY = "<Code>NoSuchKey</Code>";
    private static final String CRC32C = "x-amz-checksum-crc32c";
    private static final String ANY_CHECKSUM = "x-amz-checksum-";
    private static final String CHECKSUM_TYPE = "x-amz-checksum-type";

    private final SdkHttpClient http;
    private final ObjSettings settings;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final AwsCredentialsProvider identity;
    private final ThreadLocal<byte[]> buffers;
    private final String path;
    private final AtomicInteger surprises = new AtomicInteger();
    private volatile long restedSince = System.nanoTime() - REST_NANOS;

    private SignedGets(
            SdkHttpClient http, ObjSettings settings, AwsCredentialsProvider identity, ThreadLocal<byte[]> buffers) {
        this.http = http;
        this.settings = settings;
        this.identity = identity;
        this.buffers = buffers;
        String base = settings.endpoint().orElseThrow().uri().getRawPath();
        path = (base == null ? "" : base) + "/" + settings.bucket() + "/";
    }

    /**
     * For the stores whose addresses need no rules of AWS, and where a request may be repeated.
     *
     * @param http the caller's to close
     * @param buffers for copies, of the calling thread
     */
    static Optional<SignedGets> of(
            SdkHttpClient http, ObjSettings settings, AwsCredentialsProvider identity, ThreadLocal<byte[]> buffers) {
        return settings.endpoint().isPresent() && !settings.virtual() && settings.attempts() > 1
                ? Optional.of(new SignedGets(http, settings, identity, buffers))
                : Optional.empty();
    }

    /** One attempt. @return empty if the ordinary client has to ask; the slice may hold anything then */
    Optional<Answer> get(String key, Slice target) {
        if (rests()) {
            return Optional.empty();
        }
        try {
            Optional<Answer> answer = answer(
                    http.prepareRequest(HttpExecuteRequest.builder()
                                    .request(signed(key).request())
                                    .build())
                            .call(),
                    target);
            if (answer.isPresent()) {
                surprises.set(0);
            }
            return answer;
        } catch (IOException | SdkException | NumberFormatException broken) {
            return Optional.empty();
        }
    }

    /** The ordinary client did what {@link #get} could not. */
    void surprised() {
        if (!rests() && surprises.incrementAndGet() >= SURPRISES) {
            surprises.set(0);
            restedSince = System.nanoTime();
        }
    }

    private boolean rests() {
        return System.nanoTime() - restedSince < REST_NANOS;
    }

    private SignedRequest signed(String key) {
        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .uri(settings.endpoint().orElseThrow().uri())
                .encodedPath(path + SdkHttpUtils.urlEncodeIgnoreSlashes(key))
                .putHeader("User-Agent", "nixlkv");
        if (settings.validate()) {
            request.putHeader("x-amz-checksum-mode", "ENABLED");
        }
        return signer.sign(r -> r.identity(identity.resolveCredentials())
                .request(request.build())
                .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, settings.region())
                .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false));
    }

    private Optional<Answer> answer(HttpExecuteResponse response, Slice target) throws IOException {
        AbortableInputStream body = response.responseBody().orElse(null);
        if (body == null) {
            return Optional.empty();
        }
        try (body) {
            SdkHttpResponse head = response.httpResponse();
            if (head.statusCode() == NOT_FOUND) {
                String error = new String(body.readNBytes(MOST_OF_AN_ERROR), StandardCharsets.UTF_8);
                return error.contains(NO_SUCH_KEY) ? Optional.of(Answer.missing()) : Optional.empty();
            }
            Optional<String> length = head.firstMatchingHeader("Content-Length");
            if (head.statusCode() != OK || length.isEmpty()) {
                body.abort();
                return Optional.empty();
            }
            long stored = Long.parseLong(length.get());
            if (stored != target.length()) {
                body.abort();
                return Optional.of(Answer.wrongSize(stored));
            }
            target.fill(body, buffers.get());
            return body.read() < 0 && right(head, target)
                    ? Optional.of(Answer.done(target.length()))
                    : Optional.empty();
        } catch (IOException broken) {
            body.abort();
            throw broken;
        }
    }

    /** Whether the bytes are those of the checksum, where the store sends one that is known here, or none. */
    private boolean right(SdkHttpResponse head, Slice target) {
        if (!settings.validate()) {
            return true;
        }
        Optional<String> sum = head.firstMatchingHeader(CRC32C);
        if (sum.isPresent()) {
            // that of an object in parts is one of its parts' checksums, as the SDK knows too
            return sum.get().contains("-")
                    || BodyChecksum.crc32c(target, 0, target.length()).equals(sum.get());
        }
        return !head.anyMatchingHeader(name ->
                name.toLowerCase(Locale.ROOT).startsWith(ANY_CHECKSUM) && !name.equalsIgnoreCase(CHECKSUM_TYPE));
    }
}
