package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.CaBundle;
import io.nixlkv.plugin.support.object.KeyRules;
import io.nixlkv.spi.StrategyConfig;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The values of a configuration, read and checked together.
 *
 * @param endpoint empty for AWS itself
 * @param virtual whether the bucket becomes part of the host name
 * @param requireChecksum {@code req_checksum = required}: a plain signed body
 * @param validate whether checksums of what is read are asked for and checked
 * @param connections requests under way at once
 */
record ObjSettings(
        String bucket,
        Optional<Endpoint> endpoint,
        String region,
        Identity identity,
        Optional<CaBundle> certificates,
        boolean virtual,
        boolean requireChecksum,
        boolean validate,
        int connections,
        long multipartThreshold,
        int partSize,
        KeyRules keys,
        int attempts,
        boolean selfTest) {
    private static final int MAX_KEY_BYTES = 1024;
    private static final double CONNECTIONS_PER_GBPS = 2.5;
    private static final long MIN_PART = 5L << 20;
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]");

    /** @throws IllegalArgumentException with a sentence about the first thing that is wrong */
    static ObjSettings of(StrategyConfig config) {
        String bucket = config.text("bucket");
        if (bucket.isEmpty()) {
            throw new IllegalArgumentException("bucket or AWS_DEFAULT_BUCKET is required");
        }
        if (!BUCKET.matcher(bucket).matches()) {
            throw new IllegalArgumentException("bucket \"" + bucket + "\" is no bucket name: 3 to 255 letters, digits,"
                    + " dots, hyphens and underscores");
        }
        String scheme = config.text("scheme");
        Optional<Endpoint> endpoint = Optional.of(config.text("endpoint_override"))
                .filter(text -> !text.isEmpty())
                .map(text -> Endpoint.of(text, scheme.isEmpty() ? "http" : scheme));
        Optional<CaBundle> certificates = Optional.of(config.text("ca_bundle"))
                .filter(text -> !text.isEmpty())
                .map(CaBundle::read);
        String style = config.text("use_virtual_addressing");
        boolean virtual = style.isEmpty() ? endpoint.isEmpty() : config.flag("use_virtual_addressing");
        long crtLimit = config.number("crtMinLimit");
        KeyRules keys = new KeyRules(prefix(config.text("prefix")), MAX_KEY_BYTES);
        return new ObjSettings(
                bucket,
                endpoint,
                config.text("region"),
                Identity.of(config, endpoint.isPresent()),
                certificates,
                virtual && endpoint.map(e -> !e.address()).orElse(true),
                !config.text("req_checksum").equalsIgnoreCase("supported"),
                !config.text("resp_checksum").equalsIgnoreCase("required"),
                connections(config),
                crtLimit > 0 ? Math.max(MIN_PART, crtLimit) : config.number("multipart_threshold"),
                (int) config.number("part_size"),
                keys,
                (int) config.number("attempts"),
                config.flag(ObjParameters.SELF_TEST));
    }

    /** The endpoint for people. */
    String address() {
        return endpoint.map(Endpoint::toString).orElse("AWS S3, region " + region);
    }

    /** Bucket and endpoint for people. */
    String place() {
        return "bucket " + bucket + " at " + address();
    }

    private static int connections(StrategyConfig config) {
        if (config.number("connections") > 0) {
            return (int) config.number("connections");
        }
        double wanted = Math.ceil(config.number("throughput_target_gbps") * CONNECTIONS_PER_GBPS);
        return (int) Math.max(config.number("num_threads"), wanted);
    }

    private static String prefix(String prefix) {
        if (prefix.isEmpty()) {
            return prefix;
        }
        String checked = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        String problem = new KeyRules("", MAX_KEY_BYTES / 2).problem(checked);
        if (problem != null) {
            throw new IllegalArgumentException("prefix \"" + prefix + "\" " + problem);
        }
        return prefix;
    }
}
