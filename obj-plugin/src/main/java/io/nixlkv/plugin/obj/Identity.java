package io.nixlkv.plugin.obj;

import io.nixlkv.spi.StrategyConfig;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;

/** Who asks. Shows its source, never its secrets. */
final class Identity {
    private final String source;
    private final String accessKey;
    private final String secretKey;
    private final String token;
    private final boolean instanceRole;

    private Identity(String source, String accessKey, String secretKey, String token, boolean instanceRole) {
        this.source = source;
        this.accessKey = accessKey;
        this.secretKey = secretKey;
        this.token = token;
        this.instanceRole = instanceRole;
    }

    /**
     * @param endpoint whether the store is not AWS itself: then no metadata service is asked, which would not answer
     * @throws IllegalArgumentException if the keys are incomplete
     */
    static Identity of(StrategyConfig config, boolean endpoint) {
        String access = config.text("access_key");
        String secret = config.text("secret_key");
        String token = config.text("session_token");
        if (access.isEmpty() != secret.isEmpty()) {
            throw new IllegalArgumentException(
                    access.isEmpty()
                            ? "secret_key is given without access_key; give both or neither"
                            : "access_key is given without secret_key; give both or neither");
        }
        if (access.isEmpty() && !token.isEmpty()) {
            throw new IllegalArgumentException("session_token is given without access_key and secret_key");
        }
        if (!access.isEmpty()) {
            return new Identity("access_key (" + config.origin("access_key") + ")", access, secret, token, false);
        }
        String chain = "system properties, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the AWS profile";
        return new Identity(endpoint ? chain : chain + ", and the instance role", access, secret, token, !endpoint);
    }

    /** Where the keys come from, for people. */
    String source() {
        return source;
    }

    AwsCredentialsProvider provider() {
        if (!accessKey.isEmpty()) {
            return StaticCredentialsProvider.create(
                    token.isEmpty()
                            ? AwsBasicCredentials.create(accessKey, secretKey)
                            : AwsSessionCredentials.create(accessKey, secretKey, token));
        }
        if (instanceRole) {
            return DefaultCredentialsProvider.builder().build();
        }
        return AwsCredentialsProviderChain.of(
                SystemPropertyCredentialsProvider.create(),
                EnvironmentVariableCredentialsProvider.create(),
                ProfileCredentialsProvider.create());
    }

    @Override
    public String toString() {
        return source;
    }
}
