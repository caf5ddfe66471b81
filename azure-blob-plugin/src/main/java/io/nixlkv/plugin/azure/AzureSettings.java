package io.nixlkv.plugin.azure;

import io.nixlkv.plugin.support.object.CaBundle;
import io.nixlkv.plugin.support.object.KeyRules;
import io.nixlkv.spi.StrategyConfig;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The values of a configuration, read and checked together.
 *
 * @param connections requests under way at once
 */
record AzureSettings(
        Account account,
        String container,
        Optional<CaBundle> certificates,
        int connections,
        long multipartThreshold,
        int partSize,
        KeyRules keys,
        int attempts,
        boolean selfTest) {
    /** The service counts characters; bytes are the stricter limit. */
    static final int MAX_KEY_BYTES = 1024;

    private static final Pattern CONTAINER =
            Pattern.compile("\\$root|\\$web|[a-z0-9](?:[a-z0-9]|-(?!-)){1,61}[a-z0-9]");

    /** @throws IllegalArgumentException with a sentence about the first thing that is wrong */
    static AzureSettings of(StrategyConfig config) {
        String container = config.text("container_name");
        if (container.isEmpty()) {
            throw new IllegalArgumentException("container_name or AZURE_STORAGE_CONTAINER_NAME is required");
        }
        if (!CONTAINER.matcher(container).matches()) {
            throw new IllegalArgumentException("container_name \"" + container + "\" is no container name: 3 to 63"
                    + " lower-case letters, digits and single hyphens, a letter or digit first and last");
        }
        return new AzureSettings(
                Account.of(config.text("connection_string"), config.text("account_url")),
                container,
                Optional.of(config.text("ca_bundle"))
                        .filter(text -> !text.isEmpty())
                        .map(CaBundle::read),
                (int) Math.max(
                        config.number("connections"), config.given("connections") ? 1 : config.number("num_threads")),
                config.number("multipart_threshold"),
                (int) config.number("part_size"),
                new KeyRules(prefix(config.text("prefix")), MAX_KEY_BYTES),
                (int) config.number("attempts"),
                config.flag(AzureParameters.SELF_TEST));
    }

    /** Container and endpoint for people. */
    String place() {
        return "container " + container + " at " + account.address();
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
