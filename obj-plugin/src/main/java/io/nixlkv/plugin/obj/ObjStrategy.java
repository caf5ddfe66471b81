package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.plugin.support.object.ObjectBackend;
import io.nixlkv.plugin.support.object.RequestPool;
import io.nixlkv.plugin.support.object.StartCheck;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Objects in an S3-compatible store. Engine {@code sdk} is the AWS SDK for Java, {@code nixl} native NIXL. */
public final class ObjStrategy implements StorageStrategy {
    /** NIXL's name of the plugin. */
    public static final String NAME = "OBJ";

    /** The engine on the AWS SDK. */
    public static final String SDK = "sdk";

    private static final List<String> ENGINES = List.of(SDK, NixlSettings.ENGINE);
    private static final Set<Segment> SEGMENTS = Set.of(Segment.DRAM_SEG, Segment.OBJ_SEG);
    private static final int AUTO_RANK = 50;
    private static final int MAX_BATCH = 256;
    private static final int MAX_KEY_BYTES = 1024;
    private static final StrategyInfo INFO = new StrategyInfo(
            NAME,
            Set.of("S3"),
            "Objects in a bucket of any S3-compatible store. With engine nixl they stay until the store's own rules remove"
                    + " them.",
            AUTO_RANK,
            ObjParameters.ALL);

    @Override
    public StrategyInfo info() {
        return INFO;
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        try {
            ObjSettings settings = ObjSettings.of(config);
            return List.of(
                    EngineOffer.usable(
                            SDK, SEGMENTS, capabilities(settings.keys().maxNameBytes(), true)),
                    ObjNixl.offer(SEGMENTS, settings));
        } catch (IllegalArgumentException wrong) {
            return List.of(
                    EngineOffer.usable(SDK, SEGMENTS, capabilities(MAX_KEY_BYTES, true))
                            .because(wrong.getMessage()),
                    ObjNixl.offer(SEGMENTS, MAX_KEY_BYTES, wrong.getMessage()));
        }
    }

    /** NIXL's plugin says whether it reaches memory of a GPU: the one of most builds does not. */
    @Override
    public List<EngineOffer> probe(StrategyConfig config, Segment memory) {
        return memory == Segment.DRAM_SEG ? probe(config) : ObjNixl.reported(probe(config));
    }

    @Override
    public StorageBackend open(OpenContext context) {
        if (!ENGINES.contains(context.engine())) {
            throw new StorageException(
                    Status.INVALID,
                    NAME + " has no engine \"" + context.engine() + "\"; it has " + String.join(", ", ENGINES));
        }
        ObjSettings settings;
        try {
            settings = ObjSettings.of(context.config());
        } catch (IllegalArgumentException wrong) {
            throw new StorageException(Status.INVALID, NAME + ": " + wrong.getMessage());
        }
        if (context.engine().equals(NixlSettings.ENGINE)) {
            return ObjNixl.open(context.config(), settings, words(settings), context.arena());
        }
        RequestPool pool = new RequestPool("obj", settings.connections());
        S3Store store = new S3Store(settings, pool);
        StartCheck.Found found;
        try {
            found = new StartCheck(words(settings), store, store::ping)
                    .run(settings.keys().prefix(), settings.selfTest());
        } catch (RuntimeException refused) {
            store.close();
            throw refused;
        }
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("bucket", settings.bucket());
        facts.put("endpoint", settings.address());
        facts.put("prefix", settings.keys().prefix());
        facts.put("identity", settings.identity().source());
        facts.put("addressing", settings.virtual() ? "virtual host" : "path");
        facts.put("req_checksum", settings.requireChecksum() ? "required" : "supported");
        facts.put("connections", Integer.toString(settings.connections()));
        facts.put("create", found.create());
        return new ObjectBackend(
                store,
                settings.place(),
                capabilities(settings.keys().maxNameBytes(), found.creates()),
                settings.keys(),
                pool,
                facts);
    }

    private static StartCheck.Words words(ObjSettings settings) {
        return new StartCheck.Words(
                NAME,
                settings.place(),
                settings.address(),
                settings.identity().source(),
                "; set req_checksum = \"required\"");
    }

    private static Capabilities capabilities(int maxNameBytes, boolean creates) {
        Set<Feature> features = EnumSet.of(
                Feature.REPLACE,
                Feature.DURABLE,
                Feature.STAGE,
                Feature.DELETE,
                Feature.LIST,
                Feature.STORED_LENGTH,
                Feature.DETECTS_SHORT,
                Feature.DETECTS_LONG);
        if (creates) {
            features.add(Feature.CREATE);
        }
        return new Capabilities(features, 1, Capabilities.MAX_OBJECT_BYTES, maxNameBytes, MAX_BATCH);
    }
}
