package io.nixlkv.plugin.support.object;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** What a failure below HTTP means, and what to change. */
public final class Network {
    private static final int MAX_DEPTH = 12;

    private Network() {}

    /**
     * A sentence about the network failure among the causes of {@code failure}; empty if there is none.
     *
     * @param endpoint as configured, without secrets
     * @param options the strategy's own names: what to set for plain HTTP, the key of the certificates, and a hint for unknown hosts
     */
    public static Optional<String> explain(Throwable failure, String endpoint, Options options) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++, cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return Optional.of("host " + cause.getMessage() + " of " + endpoint
                        + " is not known to DNS; check the endpoint" + options.unknownHost());
            }
            if (cause instanceof SSLException) {
                return Optional.of(tls((SSLException) cause, endpoint, options));
            }
            if (cause instanceof SocketTimeoutException
                    || cause.getClass().getSimpleName().contains("Timeout")) {
                return Optional.of(
                        endpoint + " did not answer in time: " + text(cause) + "; check address, port and firewall");
            }
            if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
                return Optional.of("cannot connect to " + endpoint + ": " + text(cause)
                        + "; check that the store runs and that address and port are right");
            }
        }
        return Optional.empty();
    }

    /**
     * Names of a strategy's settings for sentences.
     *
     * @param plainHttp what to set when the store speaks plain HTTP
     * @param caBundle key of the certificates
     * @param unknownHost further hint after an unknown host, with its own punctuation
     */
    public record Options(String plainHttp, String caBundle, String unknownHost) {}

    private static String tls(SSLException cause, String endpoint, Options options) {
        String text = text(cause);
        if (text.contains("Unsupported or unrecognized SSL message") || text.contains("plaintext connection")) {
            return endpoint + " answers in plain HTTP, not TLS; " + options.plainHttp();
        }
        if (text.contains("subject alternative")
                || text.contains("doesn't match")
                || text.contains("No name matching")) {
            return "the certificate of " + endpoint + " is for another host name (" + text
                    + "); use the name that the certificate has";
        }
        if (text.contains("PKIX") || text.contains("certificat") || text.contains("trustAnchors")) {
            return "the certificate of " + endpoint + " is not trusted (" + text + "); set " + options.caBundle()
                    + " to a PEM file with the CA that signed it";
        }
        return "TLS with " + endpoint + " failed: " + text;
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
