package io.nixlkv.host.selection;

import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A strategy that offers what a test says. */
final class FakeStrategy implements StorageStrategy {
    private static final Capabilities CAN = new Capabilities(Set.of(Feature.CREATE), 1, 1000, 255, 10);

    private final StrategyInfo info;
    private final Function<StrategyConfig, List<EngineOffer>> probe;
    int probes;

    private FakeStrategy(StrategyInfo info, Function<StrategyConfig, List<EngineOffer>> probe) {
        this.info = info;
        this.probe = probe;
    }

    static FoundStrategy found(
            String name, int rank, Set<String> aliases, Function<StrategyConfig, List<EngineOffer>> probe) {
        StrategyInfo info = new StrategyInfo(
                name,
                aliases,
                "For tests.",
                rank,
                List.of(Parameter.of("depth", Parameter.Type.INTEGER)
                        .range(1, 9)
                        .defaultValue("1")
                        .environment(name + "_DEPTH")
                        .meaning("Depth.")));
        return new FoundStrategy(new FakeStrategy(info, probe), info, name.toLowerCase() + ".jar", "1.0");
    }

    static FoundStrategy found(String name, int rank, EngineOffer... offers) {
        return found(name, rank, Set.of(), config -> List.of(offers));
    }

    static EngineOffer file(String engine) {
        return EngineOffer.usable(engine, Set.of(Segment.DRAM_SEG, Segment.FILE_SEG), CAN);
    }

    static EngineOffer device(String engine) {
        return EngineOffer.usable(engine, Set.of(Segment.DRAM_SEG, Segment.VRAM_SEG, Segment.FILE_SEG), CAN);
    }

    static EngineOffer gated(String engine) {
        return EngineOffer.usable(engine, Set.of(Segment.FILE_SEG), CAN);
    }

    @Override
    public StrategyInfo info() {
        return info;
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        probes++;
        return probe.apply(config);
    }

    @Override
    public StorageBackend open(OpenContext context) {
        throw new UnsupportedOperationException("selection opens nothing");
    }
}
