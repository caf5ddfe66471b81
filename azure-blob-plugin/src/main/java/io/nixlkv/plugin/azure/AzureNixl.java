package io.nixlkv.plugin.azure;

import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.plugin.support.nixl.NixlObjectBackend;
import io.nixlkv.plugin.support.nixl.NixlObjectNames;
import io.nixlkv.plugin.support.nixl.NixlObjects;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Engine {@code nixl} of AZURE_BLOB: NIXL's plugin moves the bytes; the SDK looks at the container when it is opened. */
final class AzureNixl {
    /** Requests for each thread of NIXL that may wait: a deadline is looked at between such groups. */
    private static final int REQUESTS_PER_THREAD = 8;

    private static final int MAX_BATCH = 1024;

    private AzureNixl() {}

    /** The engine's offer for right values; nothing is loaded. */
    static EngineOffer offer(Set<Segment> segments, AzureSettings settings) {
        EngineOffer offer = EngineOffer.usable(
                NixlSettings.ENGINE,
                segments,
                NixlObjectBackend.capabilities(
                        NixlObjectNames.of(settings.keys()), Capabilities.MAX_OBJECT_BYTES, MAX_BATCH));
        return foreign(settings)
                .map(offer::because)
                .orElseGet(() -> offer.without(NixlEngine.problem(AzureBlobStrategy.NAME)));
    }

    /** The offer for wrong values. */
    static EngineOffer offer(Set<Segment> segments, int maxNameBytes, String problem) {
        return EngineOffer.usable(
                        NixlSettings.ENGINE,
                        segments,
                        NixlObjectBackend.capabilities(
                                NixlObjectNames.any(maxNameBytes), Capabilities.MAX_OBJECT_BYTES, MAX_BATCH))
                .because(problem);
    }

    private static Optional<String> foreign(AzureSettings settings) {
        Account account = settings.account();
        return account.connection().isEmpty() && !account.chain()
                ? Optional.of(
                        "NIXL takes no SAS in account_url; put it into connection_string, or use engine = \"sdk\"")
                : Optional.empty();
    }

    /**
     * Opens it on a container that has answered the SDK.
     *
     * @throws StorageException naming what NIXL lacks or cannot do; nothing is left open
     */
    static StorageBackend open(StrategyConfig config, AzureSettings settings, BlobStore store, MemoryArena arena) {
        return new NixlObjects(
                        AzureBlobStrategy.NAME,
                        settings.place(),
                        settings.account().source())
                .open(
                        nixl(config, settings),
                        NixlObjectNames.of(settings.keys()),
                        arena,
                        settings.selfTest(),
                        key -> store.delete(List.of(key)).get(0).status() == Status.DONE);
    }

    /** @throws StorageException naming what is missing */
    static void require(AzureSettings settings) {
        foreign(settings).or(() -> NixlEngine.problem(AzureBlobStrategy.NAME)).ifPresent(problem -> {
            throw new StorageException(Status.UNAVAILABLE, AzureBlobStrategy.NAME + " engine nixl: " + problem);
        });
    }

    /** What NIXL gets: validated here, since it takes unknown parameters without a word. */
    static NixlSettings nixl(StrategyConfig config, AzureSettings settings) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("container_name", settings.container());
        Account account = settings.account();
        if (account.connection().isEmpty()) {
            parameters.put("account_url", account.url());
        } else {
            parameters.put("connection_string", account.connection());
        }
        if (!config.text("ca_bundle").isEmpty()) {
            parameters.put("ca_bundle", config.text("ca_bundle"));
        }
        parameters.put("num_threads", Integer.toString(settings.connections()));
        int slots = Math.min(MAX_BATCH, REQUESTS_PER_THREAD * settings.connections());
        return NixlSettings.of(AzureBlobStrategy.NAME, parameters, slots);
    }
}
