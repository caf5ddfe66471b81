package io.nixlkv.plugin.gds;

import io.nixlkv.plugin.support.testing.CudaArena;
import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** All transfers from and to memory of a GPU, whose addresses kill a processor that follows one. */
@NeedsStandIn
@Tag("variant")
class DeviceGdsContractTest extends StorageContract {
    DeviceGdsContractTest() {
        super(new Setup());
    }

    public static final class Setup extends GdsSetup {
        public Setup() {
            super(
                    new GdsStrategy(),
                    Map.of("batch_limit", "16", "batch_pool_size", "2", "max_request_size", "65536"),
                    "sound");
        }

        @Override
        public MemoryArena arena(long bytes) {
            return CudaArena.of(bytes);
        }

        @Override
        public int kills() {
            return 3;
        }
    }
}
