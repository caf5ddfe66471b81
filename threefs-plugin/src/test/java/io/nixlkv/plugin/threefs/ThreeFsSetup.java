package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** 3FS on a stand-in mount. */
abstract class ThreeFsSetup implements ContractSetup {
    private final String engine;
    private final String[] hazards;

    ThreeFsSetup(String engine, String... hazards) {
        if (StandIn.lacking().isEmpty()) {
            UsrbioStandIn.use();
            StandIn.named("sound").use();
        }
        this.engine = engine;
        this.hazards = hazards;
    }

    @Override
    public StorageStrategy strategy() {
        return new ThreeFsStrategy();
    }

    @Override
    public String engine() {
        return engine;
    }

    @Override
    public Map<String, String> config(Path location) {
        return Map.of("mount_point", location.toString(), "use_direct_io", "false");
    }

    @Override
    public void prepare(Path location) throws IOException {
        UsrbioStandIn.mount(location, hazards);
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
