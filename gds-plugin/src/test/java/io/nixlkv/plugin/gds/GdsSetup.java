package io.nixlkv.plugin.gds;

import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A strategy of this jar on the stand-in. */
abstract class GdsSetup implements ContractSetup {
    private final StorageStrategy strategy;
    private final Map<String, String> parameters;

    GdsSetup(StorageStrategy strategy, Map<String, String> parameters, String standIn, String... hazards) {
        StandIn.lacking()
                .ifPresentOrElse(
                        lacking -> {}, () -> StandIn.named(standIn, hazards).use());
        this.strategy = strategy;
        this.parameters = parameters;
    }

    @Override
    public StorageStrategy strategy() {
        return strategy;
    }

    @Override
    public String engine() {
        return "nixl";
    }

    @Override
    public Map<String, String> config(Path location) {
        Map<String, String> config = new HashMap<>(parameters);
        config.put("file_path", location.toString());
        config.put("use_direct_io", "false");
        return config;
    }

    @Override
    public MemoryArena arena(long bytes) {
        return MappedArena.of(bytes);
    }

    @Override
    public int kills() {
        return 10;
    }
}
