package io.nixlkv.plugin.obj;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signature version 4 with the body left out ({@code UNSIGNED-PAYLOAD}) on plain HTTP too, as native NIXL sends it with {@code
 * req_checksum = supported}: the body is covered by its checksum header, which is signed. The SDK's own signer leaves the body out
 * on https only, so an upload is signed as if it went there; the scheme is no part of a signature. Thread-safe.
 */
final class PlainBodySigner implements AwsV4AuthScheme, AwsV4HttpSigner {
    private static final int HTTP_PORT = 80;

    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    @Override
    public String schemeId() {
        return SCHEME_ID;
    }

    @Override
    public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
        return providers.identityProvider(AwsCredentialsIdentity.class);
    }

    @Override
    public AwsV4HttpSigner signer() {
        return this;
    }

    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
        SdkHttpRequest http = request.request();
        // The host header of port 80 differs between the schemes.
        if (http.method() != SdkHttpMethod.PUT || !http.protocol().equals("http") || http.port() == HTTP_PORT) {
            return signer.sign(request);
        }
        return signPlain(request);
    }

    private <I extends AwsCredentialsIdentity> SignedRequest signPlain(SignRequest<I> request) {
        SdkHttpRequest http = request.request();
        SignRequest<I> changed = request.toBuilder()
                .request(http.toBuilder().protocol("https").build())
                .putProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                .putProperty(AwsV4FamilyHttpSigner.CHUNK_ENCODING_ENABLED, false)
                .build();
        SignedRequest signed = signer.sign(changed);
        return signed.toBuilder()
                .request(signed.request().toBuilder()
                        .protocol(http.protocol())
                        .port(http.port())
                        .build())
                .build();
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
        return signer.signAsync(request);
    }
}
