package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.KeyRules;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Objects of 0 bytes, which count as absent but refuse a CREATE. They are replaced with {@code If-Match}, so that an object that
 * another writer stored meanwhile is not, and only where the store is known to honour that. Thread-safe.
 */
final class EmptyObjects {
    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;
    private static final int NOT_IMPLEMENTED = 501;
    private static final String NO_TAG = "\"00000000000000000000000000000000\"";

    private final S3Client client;
    private final ObjSettings settings;
    private final BiConsumer<String, Condition> write;
    private volatile boolean honoured;

    /** @param write writes a short object */
    EmptyObjects(S3Client client, ObjSettings settings, BiConsumer<String, Condition> write) {
        this.client = client;
        this.settings = settings;
        this.write = write;
    }

    /**
     * The condition under which an empty object is replaced.
     *
     * @return empty if there is none
     * @throws StorageException UNSUPPORTED if there is one and the store ignores such conditions
     */
    Optional<Condition> inTheWay(String key) {
        HeadObjectResponse found;
        try {
            found = client.headObject(r -> r.bucket(settings.bucket()).key(key));
        } catch (S3Exception refused) {
            if (refused.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw refused;
        }
        if (found.contentLength() != 0) {
            return Optional.empty();
        }
        if (!honoured && !test()) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    "is there with 0 bytes, and " + settings.place() + " ignores If-Match, so CREATE could replace an"
                            + " object; delete it, or set write_mode = \"replace\"");
        }
        honoured = true;
        return Optional.of(Condition.unchanged(found.eTag()));
    }

    /** Whether a write that depends on a tag which no object has is refused. */
    private boolean test() {
        String key = settings.keys().prefix() + KeyRules.RESERVED + "if-match-" + UUID.randomUUID();
        write.accept(key, Condition.ABSENT);
        try {
            write.accept(key, Condition.unchanged(NO_TAG));
            return false;
        } catch (S3Exception refused) {
            if (refused.statusCode() != PRECONDITION_FAILED && refused.statusCode() != NOT_IMPLEMENTED) {
                throw refused;
            }
            return refused.statusCode() == PRECONDITION_FAILED;
        } finally {
            client.deleteObject(r -> r.bucket(settings.bucket()).key(key));
        }
    }
}
