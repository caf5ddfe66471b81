package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.Parts;
import io.nixlkv.plugin.support.object.RequestPool;
import io.nixlkv.plugin.support.object.Slice;
import io.nixlkv.plugin.support.object.Staged;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Multipart uploads: large objects in parallel parts, and staged objects. Nothing is visible before completion; what a killed
 * process leaves is removed by the bucket's life-cycle rule for incomplete uploads.
 */
final class S3Uploads {
    /** The code of an upload that was completed, aborted or never there. */
    static final String NO_SUCH_UPLOAD = "NoSuchUpload";

    private static final Logger LOG = LoggerFactory.getLogger(S3Uploads.class);
    private static final String BINARY = "application/octet-stream";

    private final S3Client client;
    private final ObjSettings settings;
    private final RequestPool pool;

    S3Uploads(S3Client client, ObjSettings settings, RequestPool pool) {
        this.client = client;
        this.settings = settings;
        this.pool = pool;
    }

    Staged stage(String key, Slice body) {
        CreateMultipartUploadRequest.Builder create =
                CreateMultipartUploadRequest.builder().bucket(settings.bucket()).key(key);
        if (!settings.requireChecksum()) {
            create.checksumAlgorithm(ChecksumAlgorithm.CRC32_C);
        }
        String upload = client.createMultipartUpload(create.build()).uploadId();
        try {
            List<String> parts = new Parts(
                            body.length(),
                            settings.partSize(),
                            (number, from, count) -> part(key, upload, body, number, from, count))
                    .send(pool);
            return new Staged(key, body.length(), upload, parts);
        } catch (RuntimeException failed) {
            forget(new Staged(key, body.length(), upload, List.of()));
            throw failed;
        }
    }

    /** @return the part's tag and, where one is sent, its checksum */
    private String part(String key, String upload, Slice body, int number, int from, int count) {
        UploadPartRequest.Builder request = UploadPartRequest.builder()
                .bucket(settings.bucket())
                .key(key)
                .uploadId(upload)
                .partNumber(number + 1);
        String checksum = "";
        if (!settings.requireChecksum()) {
            checksum = BodyChecksum.crc32c(body, from, count);
            request.checksumCRC32C(checksum);
        }
        String tag = client.uploadPart(
                        request.build(), RequestBody.fromContentProvider(() -> body.input(from, count), count, BINARY))
                .eTag();
        return tag + " " + checksum;
    }

    void complete(Staged staged, Condition condition) {
        List<CompletedPart> parts = new ArrayList<>();
        for (String sent : staged.parts()) {
            int space = sent.lastIndexOf(' ');
            CompletedPart.Builder part =
                    CompletedPart.builder().partNumber(parts.size() + 1).eTag(sent.substring(0, space));
            if (space + 1 < sent.length()) {
                part.checksumCRC32C(sent.substring(space + 1));
            }
            parts.add(part.build());
        }
        client.completeMultipartUpload(CompleteMultipartUploadRequest.builder()
                .bucket(settings.bucket())
                .key(staged.name())
                .uploadId(staged.upload())
                .multipartUpload(m -> m.parts(parts))
                .ifNoneMatch(condition.ifNoneMatch())
                .ifMatch(condition.ifMatch())
                .build());
    }

    /** Does nothing where there is no such upload (any more). */
    void abort(Staged staged) {
        try {
            client.abortMultipartUpload(
                    r -> r.bucket(settings.bucket()).key(staged.name()).uploadId(staged.upload()));
        } catch (NoSuchUploadException gone) {
            LOG.debug("upload {} of {} had ended already", staged.upload(), staged.name());
        }
    }

    /** Aborts soon, also where the deadline of the upload has passed. */
    void forget(Staged staged) {
        pool.leftovers().end(() -> abort(staged));
    }
}
