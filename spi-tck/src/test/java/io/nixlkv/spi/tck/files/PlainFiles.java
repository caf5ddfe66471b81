package io.nixlkv.spi.tck.files;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Plain files by pure Java: everything but direct I/O and slots. A trial of the SPI, not the production lane. */
public final class PlainFiles implements StorageStrategy {
    private static final Capabilities CAN = new Capabilities(
            EnumSet.complementOf(EnumSet.of(Feature.DIRECT_IO, Feature.SLOTS, Feature.SLOT_FILES)),
            1,
            Capabilities.MAX_OBJECT_BYTES,
            1024,
            64);

    @Override
    public StrategyInfo info() {
        return new StrategyInfo(
                "PLAIN_FILES",
                Set.of(),
                "Plain files, as a trial of the SPI.",
                0,
                List.of(Parameter.of("path", Parameter.Type.STRING).meaning("Existing directory of the objects.")));
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        EngineOffer offer = EngineOffer.usable("plain", Set.of(Segment.DRAM_SEG, Segment.FILE_SEG), CAN);
        if (config.text("path").isEmpty() || !Files.isDirectory(Path.of(config.text("path")))) {
            return List.of(offer.because("path must name an existing directory"));
        }
        return List.of(offer);
    }

    @Override
    public StorageBackend open(OpenContext context) {
        if (!context.engine().equals("plain")) {
            throw new StorageException(Status.UNSUPPORTED, "PLAIN_FILES has no engine " + context.engine());
        }
        return new PlainFileBackend(Path.of(context.config().text("path")), CAN);
    }
}
