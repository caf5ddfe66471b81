package io.nixlkv.plugin.gds;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;

/** Small limits, so that objects are cut and batches go in several requests. */
@NeedsStandIn
class GdsContractTest extends StorageContract {
    GdsContractTest() {
        super(new Setup());
    }

    public static final class Setup extends GdsSetup {
        public Setup() {
            super(
                    new GdsStrategy(),
                    Map.of("batch_limit", "16", "batch_pool_size", "2", "max_request_size", "65536"),
                    "sound");
        }
    }
}
