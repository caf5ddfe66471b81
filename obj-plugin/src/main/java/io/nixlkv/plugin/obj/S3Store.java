package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.Answer;
import io.nixlkv.plugin.support.object.ObjectStore;
import io.nixlkv.plugin.support.object.RequestPool;
import io.nixlkv.plugin.support.object.Slice;
import io.nixlkv.plugin.support.object.Staged;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadBucketRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** One bucket through the synchronous client of the AWS SDK. Bodies go from and into the arena through small heap buffers. */
final class S3Store implements ObjectStore {
    /** The service's own limit for one request. */
    private static final int MOST_DELETIONS = 1000;

    /** A body this long is only sent once the store has accepted the head, where it may well refuse. */
    private static final int ASK_FIRST_BYTES = 128 << 10;

    private static final int PRECONDITION_FAILED = 412;
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int SHORT_BODY = 64 << 10;
    private static final String BINARY = "application/octet-stream";

    private final S3Client client;

    /** For what {@link #gets} tried once. */
    private final S3Client again;

    private final Optional<SignedGets> gets;
    private final SdkHttpClient http;
    private final ObjSettings settings;
    private final S3Failures failures;
    private final S3Uploads uploads;
    private final EmptyObjects empties;
    private final BucketWatch bucket;
    private final ThreadLocal<byte[]> buffers = ThreadLocal.withInitial(() -> new byte[Slice.CHUNK]);

    S3Store(ObjSettings settings, RequestPool pool) {
        this.settings = settings;
        http = S3Clients.http(settings);
        AwsCredentialsProvider identity = settings.identity().provider();
        client = S3Clients.client(settings, identity, http, settings.attempts());
        gets = SignedGets.of(http, settings, identity, buffers);
        again = gets.isPresent() ? S3Clients.client(settings, identity, http, settings.attempts() - 1) : client;
        failures = new S3Failures(settings);
        uploads = new S3Uploads(client, settings, pool);
        empties = new EmptyObjects(
                client, settings, (key, condition) -> send(key, new Slice(ByteBuffer.allocate(1)), condition));
        bucket = new BucketWatch(() -> client.headBucket(
                HeadBucketRequest.builder().bucket(settings.bucket()).build()));
    }

    @Override
    public Answer put(String key, Slice body, Mode mode) {
        if (body.length() >= settings.multipartThreshold()) {
            return publish(stage(key, body), mode);
        }
        Condition condition = Condition.of(mode);
        int most = Math.max(2, settings.attempts());
        for (int attempt = 1; attempt <= most; attempt++) {
            Answer answer = putOnce(key, body, condition);
            if (answer.status() != Status.MISSING) {
                return answer;
            }
            // Refused for an object that is gone again, or that has no bytes.
            condition = empties.inTheWay(key).orElse(Condition.ABSENT);
        }
        return contended();
    }

    private static Answer contended() {
        return Answer.failed(
                Status.FAILED, CONFLICT, "other writers create and delete this object all the time; try again");
    }

    private Answer putOnce(String key, Slice body, Condition condition) {
        try {
            return send(key, body, condition).eTag() == null ? failures.notS3() : Answer.done(body.length());
        } catch (S3Exception refused) {
            return existing(refused, key, body.length(), condition);
        }
    }

    private PutObjectResponse send(String key, Slice body, Condition condition) {
        PutObjectRequest.Builder request = PutObjectRequest.builder()
                .bucket(settings.bucket())
                .key(key)
                .ifNoneMatch(condition.ifNoneMatch())
                .ifMatch(condition.ifMatch());
        if (!settings.requireChecksum()) {
            request.checksumCRC32C(BodyChecksum.crc32c(body, 0, body.length()));
        }
        if (condition.refusable() && body.length() >= ASK_FIRST_BYTES) {
            request.overrideConfiguration(o -> o.putHeader("Expect", "100-continue"));
        }
        return client.putObject(request.build(), RequestBody.fromContentProvider(body::input, body.length(), BINARY));
    }

    /** What refused a write under a condition, MISSING if it counts as absent; rethrows every other failure. */
    private Answer existing(S3Exception refused, String key, long length, Condition condition) {
        // With If-Match an object that is gone is not found.
        boolean held = refused.statusCode() == PRECONDITION_FAILED
                || refused.statusCode() == CONFLICT
                || refused.statusCode() == NOT_FOUND && condition.ifMatch() != null;
        if (!condition.refusable() || !held) {
            throw refused;
        }
        Answer found = head(key);
        return found.status() == Status.DONE ? Answer.existing(found.storedLength(), length) : found;
    }

    @Override
    public Answer get(String key, Slice target) {
        Optional<Answer> quick = gets.flatMap(direct -> direct.get(key, target));
        if (quick.isPresent()) {
            return quick.get();
        }
        Answer answer = ordinary(key, target);
        if (answer.status() == Status.DONE) {
            gets.ifPresent(SignedGets::surprised);
        }
        return answer;
    }

    private Answer ordinary(String key, Slice target) {
        GetObjectRequest request =
                GetObjectRequest.builder().bucket(settings.bucket()).key(key).build();
        return again.getObject(request, (response, stream) -> read(response, stream, target));
    }

    private Answer read(GetObjectResponse response, AbortableInputStream stream, Slice target) {
        Long length = response.contentLength();
        try {
            if (length == null || length != target.length()) {
                if (length == null || length > SHORT_BODY) {
                    stream.abort();
                } else {
                    stream.skip(length);
                }
                return length == null ? failures.notS3() : Answer.wrongSize(length);
            }
            target.fill(stream, buffers.get());
            // The end of the stream is where the SDK compares checksums.
            if (stream.read() >= 0) {
                throw new IOException("the answer is longer than its Content-Length of " + length);
            }
            return Answer.done(length);
        } catch (IOException broken) {
            throw RetryableException.create(broken.getMessage(), broken);
        }
    }

    @Override
    public Answer head(String key) {
        try {
            long length = client.headObject(HeadObjectRequest.builder()
                            .bucket(settings.bucket())
                            .key(key)
                            .build())
                    .contentLength();
            return Answer.found(length);
        } catch (S3Exception refused) {
            // The answer has no body that would tell a missing object from a missing bucket.
            if (refused.statusCode() == NOT_FOUND && !(refused instanceof NoSuchBucketException)) {
                bucket.requirePresent();
                return Answer.missing();
            }
            throw refused;
        }
    }

    @Override
    public int deleteGroup() {
        return MOST_DELETIONS;
    }

    @Override
    public List<Answer> delete(List<String> keys) {
        List<ObjectIdentifier> objects = keys.stream()
                .map(key -> ObjectIdentifier.builder().key(key).build())
                .toList();
        Map<String, Answer> refused = new HashMap<>();
        try {
            client.deleteObjects(r -> r.bucket(settings.bucket())
                            .delete(d -> d.quiet(true).objects(objects)))
                    .errors()
                    .forEach(error -> refused.put(error.key(), failures.code(error.code(), 200, error.message())));
        } catch (S3Exception unknown) {
            if (unknown.statusCode() != NOT_IMPLEMENTED) {
                throw unknown;
            }
            keys.forEach(
                    key -> client.deleteObject(r -> r.bucket(settings.bucket()).key(key)));
        }
        List<Answer> answers = new ArrayList<>(keys.size());
        keys.forEach(key -> answers.add(refused.getOrDefault(key, Answer.done(-1))));
        return answers;
    }

    @Override
    public Staged stage(String key, Slice body) {
        return uploads.stage(key, body);
    }

    @Override
    public Answer publish(Staged staged, Mode mode) {
        boolean published = false;
        try {
            Answer answer = complete(staged, Condition.of(mode));
            if (answer.status() == Status.MISSING) {
                Optional<Condition> empty = empties.inTheWay(staged.name());
                if (empty.isPresent()) {
                    answer = complete(staged, empty.get());
                }
            }
            published = answer.status() == Status.DONE;
            return answer.status() == Status.MISSING ? contended() : answer;
        } finally {
            if (!published) {
                uploads.forget(staged);
            }
        }
    }

    private Answer complete(Staged staged, Condition condition) {
        try {
            uploads.complete(staged, condition);
            return Answer.done(staged.length());
        } catch (S3Exception refused) {
            if (!failures.codeOf(refused).equals(S3Uploads.NO_SUCH_UPLOAD)) {
                return existing(refused, staged.name(), staged.length(), condition);
            }
            // Completed by an attempt whose answer was lost, or ended by somebody else.
            return head(staged.name()).storedLength() == staged.length()
                    ? Answer.done(staged.length())
                    : failures.explain(refused);
        }
    }

    @Override
    public void discard(Staged staged) {
        uploads.abort(staged);
    }

    @Override
    public void list(String prefix, ObjectVisitor visitor) {
        ListObjectsV2Request request = ListObjectsV2Request.builder()
                .bucket(settings.bucket())
                .prefix(prefix.isEmpty() ? null : prefix)
                .build();
        for (S3Object object : client.listObjectsV2Paginator(request).contents()) {
            long modified =
                    object.lastModified() == null ? 0 : object.lastModified().toEpochMilli();
            if (!visitor.visit(object.key(), object.size(), modified)) {
                return;
            }
        }
    }

    /** One request that proves endpoint, credentials and bucket, with an error body that tells what is wrong. */
    void ping() {
        client.listObjectsV2(r -> r.bucket(settings.bucket())
                .prefix(
                        settings.keys().prefix().isEmpty()
                                ? null
                                : settings.keys().prefix())
                .maxKeys(1));
    }

    @Override
    public Answer explain(Throwable failure) {
        return failures.explain(failure);
    }

    @Override
    public void close() {
        client.close();
        again.close();
        http.close();
    }
}
