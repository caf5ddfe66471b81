package io.nixlkv.plugin.azure;

import com.azure.core.util.BinaryData;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/** A request body of the Azure SDK as an entity, sent in large chunks through one buffer for each thread. */
final class BlobBody extends AbstractHttpEntity {
    private final BinaryData body;
    private final byte[] buffer;
    private final long length;

    /**
     * @param contentLength the header's text; may be {@code null}
     * @param buffer of the thread that sends
     */
    BlobBody(BinaryData body, String contentLength, byte[] buffer) {
        super((String) null, null);
        this.body = body;
        this.buffer = buffer;
        length = contentLength == null ? body.getLength() : Long.parseLong(contentLength);
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        InputStream in = getContent();
        for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
            out.write(buffer, 0, count);
        }
    }

    @Override
    public InputStream getContent() {
        return body.toStream();
    }

    @Override
    public long getContentLength() {
        return length;
    }

    @Override
    public boolean isRepeatable() {
        return body.isReplayable();
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public void close() {
        // The slice behind the body has no stream that needs closing.
    }
}
