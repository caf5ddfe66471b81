package io.nixlkv.plugin.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.nixlkv.plugin.support.object.CaBundle;
import io.nixlkv.plugin.support.object.Exchange;
import io.nixlkv.plugin.support.object.Slice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.util.Timeout;
import reactor.core.publisher.Mono;

/**
 * Azure's HTTP client on Apache HttpClient 5: blocking, so that bodies stream through one small buffer for each thread, and
 * cancellable through the {@link Exchange} of the calling thread. Answers are read at once and their connection goes back, except
 * where the caller asks for a stream. Thread-safe.
 */
final class BlobHttp implements HttpClient, AutoCloseable {
    /** Key of the context by which a caller asks for the body as a stream, which it then closes. */
    static final String STREAM = "nixlkv-stream";

    private static final Timeout CONNECT = Timeout.ofSeconds(2);
    private static final Timeout SILENCE = Timeout.ofSeconds(30);
    private static final Set<HttpHeaderName> OWN_HEADERS = Set.of(HttpHeaderName.CONTENT_LENGTH, HttpHeaderName.HOST);

    private final CloseableHttpClient client;
    private final ThreadLocal<byte[]> buffers = ThreadLocal.withInitial(() -> new byte[Slice.CHUNK]);

    /**
     * @param connections most connections to the account
     * @param certificates what to trust instead of the JVM's certificates
     */
    BlobHttp(int connections, Optional<CaBundle> certificates) {
        PoolingHttpClientConnectionManagerBuilder manager = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(connections)
                .setMaxConnPerRoute(connections)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(CONNECT)
                        .setSocketTimeout(SILENCE)
                        .build());
        certificates.ifPresent(bundle -> manager.setTlsSocketStrategy(new DefaultClientTlsStrategy(context(bundle))));
        client = HttpClients.custom()
                .setConnectionManager(manager.build())
                .disableAutomaticRetries()
                .disableAuthCaching()
                .disableContentCompression()
                .disableCookieManagement()
                .disableRedirectHandling()
                .disableDefaultUserAgent()
                .build();
    }

    private static SSLContext context(CaBundle bundle) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, bundle.trust().getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the JVM has no TLS", impossible);
        }
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return Mono.fromCallable(() -> sendSync(request, Context.NONE));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        try {
            URI uri = request.getUrl().toURI();
            HttpUriRequestBase http =
                    new HttpUriRequestBase(request.getHttpMethod().toString(), uri);
            for (HttpHeader header : request.getHeaders()) {
                if (!OWN_HEADERS.contains(HttpHeaderName.fromString(header.getName()))) {
                    header.getValuesList().forEach(value -> http.addHeader(header.getName(), value));
                }
            }
            BinaryData body = request.getBodyAsBinaryData();
            if (body != null) {
                http.setEntity(new BlobBody(
                        body, request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH), buffers.get()));
            }
            Exchange exchange = Exchange.current();
            if (exchange != null) {
                exchange.begins(http::abort);
            }
            ClassicHttpResponse response =
                    client.executeOpen(new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort()), http, null);
            boolean stream = response.getCode() < 300
                    && context.getData(STREAM).orElse(false).equals(true);
            return stream ? BlobAnswer.streaming(request, response) : BlobAnswer.buffered(request, response);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (URISyntaxException wrong) {
            throw new IllegalArgumentException("the address of the blob is no URI: " + wrong.getReason(), wrong);
        }
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
