package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.Exchange;
import java.io.IOException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/** Lets the exchange of the calling thread end its request from outside, whether it connects, writes, waits or reads. Thread-safe. */
final class CancellableClient implements SdkHttpClient {
    private final SdkHttpClient client;

    /** @param client owned from here on */
    CancellableClient(SdkHttpClient client) {
        this.client = client;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        ExecutableHttpRequest prepared = client.prepareRequest(request);
        Exchange exchange = Exchange.current();
        if (exchange == null) {
            return prepared;
        }
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                exchange.begins(prepared::abort);
                return prepared.call();
            }

            @Override
            public void abort() {
                prepared.abort();
            }
        };
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        client.close();
    }
}
