package io.nixlkv.plugin.obj;

import java.time.Duration;
import java.util.Locale;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.LegacyMd5Plugin;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/** Builds the SDK's client from settings. */
final class S3Clients {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** Listing, opening and closing use connections beside the pool. */
    private static final int SPARE_CONNECTIONS = 4;

    private S3Clients() {}

    /**
     * A client; the caller closes it, and what it is made of.
     *
     * @param attempts of each request
     */
    static S3Client client(ObjSettings settings, AwsCredentialsProvider identity, SdkHttpClient http, int attempts) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClient(http)
                .region(Region.of(settings.region().toLowerCase(Locale.ROOT)))
                .credentialsProvider(identity)
                .forcePathStyle(!settings.virtual())
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(
                        settings.validate()
                                ? ResponseChecksumValidation.WHEN_SUPPORTED
                                : ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .chunkedEncodingEnabled(false)
                        .expectContinueEnabled(false)
                        .build())
                .overrideConfiguration(o -> o.retryStrategy(retries(attempts)));
        settings.endpoint().ifPresent(endpoint -> builder.endpointOverride(endpoint.uri()));
        if (settings.requireChecksum()) {
            builder.addPlugin(LegacyMd5Plugin.create());
        } else {
            builder.putAuthScheme(new PlainBodySigner());
        }
        return builder.build();
    }

    /** The HTTP client of a store. Its requests end with the exchange that they belong to. */
    static SdkHttpClient http(ObjSettings settings) {
        Apache5HttpClient.Builder builder = Apache5HttpClient.builder()
                .maxConnections(settings.connections() + SPARE_CONNECTIONS)
                .connectionTimeout(CONNECT)
                .socketTimeout(SILENCE)
                .expectContinueEnabled(false)
                .tcpKeepAlive(true);
        settings.certificates()
                .ifPresent(bundle ->
                        builder.tlsTrustManagersProvider(() -> bundle.trust().getTrustManagers()));
        return new CancellableClient(builder.build());
    }

    /** The SDK's standard rules about what is worth a second attempt, without its token bucket: attempts are as configured. */
    private static StandardRetryStrategy retries(int attempts) {
        BackoffStrategy pause = BackoffStrategy.exponentialDelay(FIRST_PAUSE, LONGEST_PAUSE);
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(attempts)
                .backoffStrategy(pause)
                .throttlingBackoffStrategy(pause)
                .circuitBreakerEnabled(false)
                .build();
    }
}
