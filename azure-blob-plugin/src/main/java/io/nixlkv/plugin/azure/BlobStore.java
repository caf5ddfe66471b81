package io.nixlkv.plugin.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceVersion;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import io.nixlkv.plugin.support.object.Answer;
import io.nixlkv.plugin.support.object.Exchange;
import io.nixlkv.plugin.support.object.ObjectStore;
import io.nixlkv.plugin.support.object.Parts;
import io.nixlkv.plugin.support.object.RequestPool;
import io.nixlkv.plugin.support.object.Slice;
import io.nixlkv.plugin.support.object.Staged;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** One container through the synchronous clients of the Azure SDK. Bodies go from and into the arena through small heap buffers. */
final class BlobStore implements ObjectStore {
    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;
    private static final int SHORT_BODY = 64 << 10;
    private static final HttpHeaderName VERSION = HttpHeaderName.fromString("x-ms-version");
    private static final HttpHeaderName ERROR_CODE = HttpHeaderName.fromString("x-ms-error-code");

    private final BlobHttp http;
    private final BlobContainerClient container;
    private final AzureSettings settings;
    private final AzureFailures failures;
    private final RequestPool pool;
    private final ThreadLocal<byte[]> buffers = ThreadLocal.withInitial(() -> new byte[Slice.CHUNK]);

    BlobStore(AzureSettings settings, BlobHttp http, BlobContainerClient container, RequestPool pool) {
        this.settings = settings;
        this.http = http;
        this.container = container;
        this.pool = pool;
        failures = new AzureFailures(settings);
    }

    @Override
    public Answer put(String key, Slice body, Mode mode) {
        BlobRequestConditions conditions = conditions(mode);
        int most = Math.max(2, settings.attempts());
        for (int attempt = 1; attempt <= most; attempt++) {
            Answer answer = body.length() >= settings.multipartThreshold()
                    ? commit(stage(key, body), conditions)
                    : putOnce(key, body, conditions);
            if (answer.status() != Status.MISSING) {
                return answer;
            }
            // Refused for a blob that is gone again or has no bytes, or another writer's commit dropped the blocks.
            conditions = inTheWay(key, mode).orElse(conditions(mode));
        }
        return contended();
    }

    private static Answer contended() {
        return Answer.failed(Status.FAILED, CONFLICT, "other writers change this object all the time; try again");
    }

    private Answer putOnce(String key, Slice body, BlobRequestConditions conditions) {
        BlockBlobSimpleUploadOptions options = new BlockBlobSimpleUploadOptions(
                        BinaryData.fromStream(body.input(), (long) body.length()))
                .setRequestConditions(conditions);
        try {
            blob(key).getBlockBlobClient().uploadWithResponse(options, null, Context.NONE);
            return Answer.done(body.length());
        } catch (BlobStorageException refused) {
            return existing(refused, key, body.length(), conditions);
        }
    }

    private static BlobRequestConditions conditions(Mode mode) {
        BlobRequestConditions conditions = new BlobRequestConditions();
        return mode == Mode.CREATE ? conditions.setIfNoneMatch("*") : conditions;
    }

    /** The condition under which a blob of 0 bytes, which counts as absent, is replaced by CREATE; empty if there is none. */
    private Optional<BlobRequestConditions> inTheWay(String key, Mode mode) {
        if (mode != Mode.CREATE) {
            return Optional.empty();
        }
        try {
            BlobProperties found = blob(key).getProperties();
            return found.getBlobSize() == 0
                    ? Optional.of(new BlobRequestConditions().setIfMatch(found.getETag()))
                    : Optional.empty();
        } catch (BlobStorageException refused) {
            if (BlobErrorCode.BLOB_NOT_FOUND.equals(refused.getErrorCode())) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** What a refused CREATE found; MISSING if the write is worth another attempt; rethrows every other failure. */
    private Answer existing(BlobStorageException refused, String key, long length, BlobRequestConditions conditions) {
        boolean creates = conditions.getIfNoneMatch() != null || conditions.getIfMatch() != null;
        if (BlobErrorCode.INVALID_BLOCK_LIST.equals(refused.getErrorCode())) {
            return creates ? found(key, length) : Answer.missing();
        }
        boolean exists = refused.getStatusCode() == PRECONDITION_FAILED
                || BlobErrorCode.BLOB_ALREADY_EXISTS.equals(refused.getErrorCode());
        if (!creates || !exists) {
            throw refused;
        }
        return found(key, length);
    }

    private Answer found(String key, long length) {
        Answer found = head(key);
        return found.status() == Status.DONE ? Answer.existing(found.storedLength(), length) : found;
    }

    @Override
    public Answer get(String key, Slice target) {
        HttpRequest request = new HttpRequest(HttpMethod.GET, blob(key).getBlobUrl())
                .setHeader(VERSION, BlobServiceVersion.getLatest().getVersion())
                // Part of what is signed; the signing policy does not cope with its absence.
                .setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
        for (int attempt = 1; ; attempt++) {
            try (HttpResponse response =
                    container.getHttpPipeline().sendSync(request.copy(), new Context(BlobHttp.STREAM, true))) {
                return read(response, target);
            } catch (IOException broken) {
                Exchange exchange = Exchange.current();
                if (attempt == settings.attempts() || exchange != null && exchange.cancelled()) {
                    throw new UncheckedIOException(broken);
                }
            }
        }
    }

    private Answer read(HttpResponse response, Slice target) throws IOException {
        int status = response.getStatusCode();
        if (status != 200) {
            return failures.code(
                    String.valueOf(response.getHeaderValue(ERROR_CODE)).replace("null", ""), status);
        }
        String text = response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH);
        if (text == null || response.getHeaderValue(HttpHeaderName.ETAG) == null) {
            return failures.notAzure();
        }
        long length = Long.parseLong(text);
        InputStream stream = response.getBodyAsInputStreamSync();
        if (length != target.length()) {
            if (length <= SHORT_BODY) {
                stream.readAllBytes();
            }
            return Answer.wrongSize(length);
        }
        target.fill(stream, buffers.get());
        if (stream.read() >= 0) {
            throw new IOException("the answer is longer than its Content-Length of " + length);
        }
        return Answer.done(length);
    }

    @Override
    public Answer head(String key) {
        try {
            return Answer.found(blob(key).getProperties().getBlobSize());
        } catch (BlobStorageException refused) {
            if (BlobErrorCode.BLOB_NOT_FOUND.equals(refused.getErrorCode())) {
                return Answer.missing();
            }
            throw refused;
        }
    }

    @Override
    public int deleteGroup() {
        return 1;
    }

    @Override
    public List<Answer> delete(List<String> keys) {
        return keys.stream().map(this::delete).toList();
    }

    private Answer delete(String key) {
        try {
            blob(key).delete();
            return Answer.done(-1);
        } catch (BlobStorageException refused) {
            if (BlobErrorCode.BLOB_NOT_FOUND.equals(refused.getErrorCode())) {
                return Answer.missing();
            }
            throw refused;
        }
    }

    /** Uncommitted blocks: invisible, and removed by the service after a week if nobody commits them. */
    @Override
    public Staged stage(String key, Slice body) {
        String upload = UUID.randomUUID().toString();
        List<String> blocks = new Parts(body.length(), settings.partSize(), (number, from, count) -> {
                    String id = Base64.getEncoder()
                            .encodeToString("%s-%06d".formatted(upload, number).getBytes(StandardCharsets.US_ASCII));
                    blob(key).getBlockBlobClient().stageBlock(id, BinaryData.fromStream(body.input(from, count), (long)
                            count));
                    return id;
                })
                .send(pool);
        return new Staged(key, body.length(), upload, blocks);
    }

    @Override
    public Answer publish(Staged staged, Mode mode) {
        Answer answer = commit(staged, conditions(mode));
        if (answer.status() == Status.MISSING) {
            Optional<BlobRequestConditions> empty = inTheWay(staged.name(), mode);
            if (empty.isPresent()) {
                answer = commit(staged, empty.get());
            }
        }
        return answer.status() == Status.MISSING ? contended() : answer;
    }

    private Answer commit(Staged staged, BlobRequestConditions conditions) {
        try {
            blob(staged.name())
                    .getBlockBlobClient()
                    .commitBlockListWithResponse(
                            new BlockBlobCommitBlockListOptions(staged.parts()).setRequestConditions(conditions),
                            null,
                            Context.NONE);
            return Answer.done(staged.length());
        } catch (BlobStorageException refused) {
            return existing(refused, staged.name(), staged.length(), conditions);
        }
    }

    @Override
    public void discard(Staged staged) {
        // There is no request for it: the service drops uncommitted blocks with the next write or after a week.
    }

    @Override
    public void list(String prefix, ObjectVisitor visitor) {
        ListBlobsOptions options = new ListBlobsOptions().setPrefix(prefix.isEmpty() ? null : prefix);
        for (BlobItem item : container.listBlobs(options, null)) {
            boolean more = visitor.visit(
                    item.getName(),
                    item.getProperties().getContentLength(),
                    item.getProperties().getLastModified().toInstant().toEpochMilli());
            if (!more) {
                return;
            }
        }
    }

    /** One request that proves endpoint, credentials and container, with an error code that tells what is wrong. */
    void ping() {
        container
                .listBlobs(
                        new ListBlobsOptions()
                                .setMaxResultsPerPage(1)
                                .setPrefix(settings.keys().prefix()),
                        null)
                .iterableByPage()
                .iterator()
                .next();
    }

    @Override
    public Answer explain(Throwable failure) {
        return failures.explain(failure);
    }

    @Override
    public void close() {
        http.close();
    }

    private BlobClient blob(String key) {
        return container.getBlobClient(key);
    }
}
