package io.nixlkv.plugin.gds;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;

/** Every read is short and NIXL calls it a success: the contract holds all the same. */
@NeedsStandIn
class ShortGdsContractTest extends StorageContract {
    ShortGdsContractTest() {
        super(new Setup());
    }

    public static final class Setup extends GdsSetup {
        public Setup() {
            super(new GdsStrategy(), Map.of(), "short", "short GDS");
        }
    }
}
