package io.nixlkv.plugin.sample;

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
 * Objects in the memory of the process: an example of a strategy. Its class name is the one line of {@code
 * META-INF/services/io.nixlkv.spi.StorageStrategy}. Stateless and thread-safe.
 */
public final class SampleMemory implements StorageStrategy {
    private static final String ENGINE = "map";
    private static final String CAPACITY = "capacity";

    /** Only what the lane really does; the contract suite holds the plugin to this list, and the host uses nothing else. */
    static final Capabilities CAPABILITIES = new Capabilities(
            Set.of(
                    Feature.CREATE,
                    Feature.REPLACE,
                    Feature.DELETE,
                    Feature.LIST,
                    Feature.STORED_LENGTH,
                    Feature.DETECTS_SHORT,
                    Feature.DETECTS_LONG),
            1, // no alignment
            Capabilities.MAX_OBJECT_BYTES,
            1024, // bytes of a name
            1024); // items of a batch

    @Override
    public StrategyInfo info() {
        return new StrategyInfo(
                "SAMPLE_MEMORY",
                Set.of("sample"),
                "Objects in the memory of this process, gone when it ends.",
                0, // only used when named
                List.of(Parameter.of(CAPACITY, Parameter.Type.BYTES)
                        .defaultValue("256MiB")
                        .atLeast(1)
                        .meaning("Most bytes of all objects together.")));
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        return List.of(EngineOffer.usable(ENGINE, Set.of(Segment.DRAM_SEG, Segment.OBJ_SEG), CAPABILITIES));
    }

    @Override
    public StorageBackend open(OpenContext context) {
        if (!context.engine().equals(ENGINE)) {
            throw new StorageException(
                    Status.UNSUPPORTED, "SAMPLE_MEMORY has no engine " + context.engine() + "; use " + ENGINE);
        }
        return new SampleBackend(context.config().number(CAPACITY));
    }
}
