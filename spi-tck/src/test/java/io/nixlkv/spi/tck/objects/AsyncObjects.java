package io.nixlkv.spi.tck.objects;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Set;

/**
 * An object store behind an asynchronous client, as a trial of the SPI. Engine {@code sdk} knows what an SDK knows; engine {@code
 * blind} stands for a client that can only put and get, and takes a short answer for a whole one.
 */
public final class AsyncObjects implements StorageStrategy {
    private static final Capabilities SDK = can(Set.of(
            Feature.CREATE,
            Feature.REPLACE,
            Feature.DELETE,
            Feature.LIST,
            Feature.STORED_LENGTH,
            Feature.DETECTS_SHORT,
            Feature.DETECTS_LONG));
    private static final Capabilities BLIND = can(Set.of(Feature.REPLACE));

    private static Capabilities can(Set<Feature> features) {
        return new Capabilities(features, 1, Capabilities.MAX_OBJECT_BYTES, 1024, 4096);
    }

    @Override
    public StrategyInfo info() {
        return new StrategyInfo(
                "ASYNC_OBJECTS",
                Set.of(),
                "Objects behind an asynchronous client, as a trial of the SPI.",
                0,
                List.of(Parameter.of("max_delay_micros", Parameter.Type.INTEGER)
                        .defaultValue("400")
                        .range(1, 1_000_000)
                        .meaning("Longest random delay of an answer, microseconds.")));
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        Set<Segment> segments = Set.of(Segment.DRAM_SEG, Segment.OBJ_SEG);
        return List.of(EngineOffer.usable("sdk", segments, SDK), EngineOffer.usable("blind", segments, BLIND));
    }

    @Override
    public StorageBackend open(OpenContext context) {
        Capabilities can = switch (context.engine()) {
            case "sdk" -> SDK;
            case "blind" -> BLIND;
            default ->
                throw new StorageException(Status.UNSUPPORTED, "ASYNC_OBJECTS has no engine " + context.engine());
        };
        return new AsyncObjectBackend(can, new FakeObjectServer(context.config().number("max_delay_micros")));
    }
}
