package io.nixlkv.plugin.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer for the Azure SDK: read already, or a stream that belongs to the caller. */
final class BlobAnswer extends HttpResponse {
    private final int status;
    private final HttpHeaders headers;
    private final byte[] bytes;
    private final ClassicHttpResponse open;

    private BlobAnswer(HttpRequest request, ClassicHttpResponse response, byte[] bytes, ClassicHttpResponse open) {
        super(request);
        status = response.getCode();
        this.bytes = bytes;
        this.open = open;
        headers = new HttpHeaders();
        for (Header header : response.getHeaders()) {
            headers.add(HttpHeaderName.fromString(header.getName()), header.getValue());
        }
    }

    /** Reads the body and gives the connection back. */
    static BlobAnswer buffered(HttpRequest request, ClassicHttpResponse response) throws IOException {
        try (response) {
            HttpEntity entity = response.getEntity();
            byte[] bytes = entity == null ? new byte[0] : entity.getContent().readAllBytes();
            return new BlobAnswer(request, response, bytes, null);
        }
    }

    /** Leaves the body in the connection. */
    static BlobAnswer streaming(HttpRequest request, ClassicHttpResponse response) {
        return new BlobAnswer(request, response, null, response);
    }

    @Override
    public int getStatusCode() {
        return status;
    }

    @Override
    @Deprecated
    public String getHeaderValue(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public InputStream getBodyAsInputStreamSync() {
        try {
            return open == null
                    ? new ByteArrayInputStream(bytes)
                    : open.getEntity() == null
                            ? InputStream.nullInputStream()
                            : open.getEntity().getContent();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public BinaryData getBodyAsBinaryData() {
        return BinaryData.fromBytes(all());
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        return Flux.defer(() -> Flux.just(ByteBuffer.wrap(all())));
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return Mono.fromCallable(this::all);
    }

    @Override
    public Mono<String> getBodyAsString() {
        return getBodyAsString(StandardCharsets.UTF_8);
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return Mono.fromCallable(() -> new String(all(), charset));
    }

    @Override
    public HttpResponse buffer() {
        return this;
    }

    private byte[] all() {
        try (InputStream in = getBodyAsInputStreamSync()) {
            return in.readAllBytes();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Gives the connection back if the body was read to its end, else closes it. */
    @Override
    public void close() {
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
