package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.Slice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32C;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Checksums of bodies as S3 headers carry them. */
final class BodyChecksum {
    private BodyChecksum() {}

    /** CRC-32C of {@code count} bytes at {@code from}: big-endian, Base64. */
    static String crc32c(Slice body, int from, int count) {
        CRC32C sum = new CRC32C();
        try {
            body.feed(sum, from, count);
        } catch (IOException ended) {
            throw SdkClientException.create(ended.getMessage(), ended);
        }
        return Base64.getEncoder()
                .encodeToString(
                        ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
    }
}
