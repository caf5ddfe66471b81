package io.nixlkv.spi.tck.nixl;

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
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Files through a recorded NIXL, as a trial of the SPI. Write-once, without delete and list, which NIXL does not have, and blind to
 * objects that are longer than asked.
 */
public final class NixlFiles implements StorageStrategy {
    static final Capabilities CAN = new Capabilities(
            Set.of(
                    Feature.CREATE,
                    Feature.DURABLE,
                    Feature.STAGE,
                    Feature.STORED_LENGTH,
                    Feature.DETECTS_SHORT,
                    Feature.SLOTS),
            1,
            Capabilities.MAX_OBJECT_BYTES,
            1024,
            128);

    @Override
    public StrategyInfo info() {
        return new StrategyInfo(
                "NIXL_FILES",
                Set.of(),
                "Files through a recorded NIXL, as a trial of the SPI.",
                0,
                List.of(Parameter.of("path", Parameter.Type.STRING).meaning("Existing directory of the objects.")));
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        EngineOffer offer = EngineOffer.usable("nixl", Set.of(Segment.DRAM_SEG, Segment.FILE_SEG), CAN);
        return List.of(config.text("path").isEmpty() ? offer.because("path is not given") : offer);
    }

    @Override
    public StorageBackend open(OpenContext context) {
        if (!context.engine().equals("nixl")) {
            throw new StorageException(Status.UNSUPPORTED, "NIXL_FILES has no engine " + context.engine());
        }
        return new NixlFileBackend(Path.of(context.config().text("path")), context.arena());
    }
}
