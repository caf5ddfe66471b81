package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.nixl.NixlCatalog;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.plugin.support.nixl.NixlObjectBackend;
import io.nixlkv.plugin.support.nixl.NixlObjectNames;
import io.nixlkv.plugin.support.nixl.NixlObjects;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.plugin.support.object.RequestPool;
import io.nixlkv.plugin.support.object.StartCheck;
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
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Engine {@code nixl} of OBJ: NIXL's plugin moves the bytes; the SDK looks at the store when it is opened. */
final class ObjNixl {
    /** Requests for each thread of NIXL that may wait: a deadline is looked at between such groups. */
    private static final int REQUESTS_PER_THREAD = 8;

    private static final int MAX_BATCH = 1024;

    private ObjNixl() {}

    /** The engine's offer for right values; nothing is loaded. */
    static EngineOffer offer(Set<Segment> segments, ObjSettings settings) {
        return EngineOffer.usable(
                        NixlSettings.ENGINE,
                        segments,
                        NixlObjectBackend.capabilities(
                                NixlObjectNames.of(settings.keys()), Capabilities.MAX_OBJECT_BYTES, MAX_BATCH))
                .without(NixlEngine.problem(ObjStrategy.NAME));
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

    /** {@code offers} with the segments that the installed plugin reports, where engine {@code nixl} is usable. */
    static List<EngineOffer> reported(List<EngineOffer> offers) {
        return offers.stream()
                .map(offer -> offer.engine().equals(NixlSettings.ENGINE)
                                && offer.unavailable().isEmpty()
                        ? NixlCatalog.get()
                                .plugin(ObjStrategy.NAME)
                                .filter(plugin -> plugin.segments().contains(Segment.VRAM_SEG))
                                .map(plugin -> EngineOffer.usable(offer.engine(), plugin.segments(), offer.can()))
                                .orElse(offer)
                        : offer)
                .toList();
    }

    /** @throws StorageException naming what is wrong with the store or with NIXL; nothing is left open */
    static StorageBackend open(StrategyConfig config, ObjSettings settings, StartCheck.Words words, MemoryArena arena) {
        NixlEngine.problem(ObjStrategy.NAME).ifPresent(problem -> {
            throw new StorageException(Status.UNAVAILABLE, ObjStrategy.NAME + " engine nixl: " + problem);
        });
        S3Store store = new S3Store(settings, new RequestPool("obj-check", 1));
        try {
            new StartCheck(words, store, store::ping).run(settings.keys().prefix(), false);
            return new NixlObjects(
                            ObjStrategy.NAME,
                            settings.place(),
                            settings.identity().source())
                    .open(
                            nixl(config, settings),
                            NixlObjectNames.of(settings.keys()),
                            arena,
                            settings.selfTest(),
                            key -> store.delete(List.of(key)).get(0).status() == Status.DONE);
        } finally {
            store.close();
        }
    }

    /** What NIXL gets: validated here, since it takes unknown parameters without a word. */
    static NixlSettings nixl(StrategyConfig config, ObjSettings settings) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("bucket", settings.bucket());
        parameters.put("region", settings.region());
        settings.endpoint().ifPresent(endpoint -> {
            parameters.put("endpoint_override", endpoint.toString());
            parameters.put("scheme", endpoint.tls() ? "https" : "http");
        });
        for (String key : List.of("access_key", "secret_key", "session_token", "ca_bundle")) {
            if (!config.text(key).isEmpty()) {
                parameters.put(key, config.text(key));
            }
        }
        parameters.put("use_virtual_addressing", Boolean.toString(settings.virtual()));
        for (String key : List.of("req_checksum", "resp_checksum")) {
            parameters.put(key, config.text(key).toLowerCase(Locale.ROOT));
        }
        parameters.put("num_threads", Integer.toString(settings.connections()));
        if (config.number("crtMinLimit") > 0) {
            parameters.put("crtMinLimit", Long.toString(config.number("crtMinLimit")));
            if (config.number("throughput_target_gbps") > 0) {
                parameters.put("throughput_target_gbps", Long.toString(config.number("throughput_target_gbps")));
            }
        }
        int slots = Math.min(MAX_BATCH, REQUESTS_PER_THREAD * settings.connections());
        return NixlSettings.of(ObjStrategy.NAME, parameters, slots).with(environment(settings));
    }

    /** NIXL has no parameters for these; without them it tries for 26 s, and asks Amazon's metadata service for keys. */
    private static Map<String, String> environment(ObjSettings settings) {
        Map<String, String> variables = new HashMap<>();
        variables.put("AWS_RETRY_MODE", "standard");
        variables.put("AWS_MAX_ATTEMPTS", Integer.toString(settings.attempts()));
        if (settings.endpoint().isPresent()) {
            variables.put("AWS_EC2_METADATA_DISABLED", "true");
        }
        return variables;
    }
}
