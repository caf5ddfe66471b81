package io.nixlkv.plugin.gds;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Every read is short and NIXL calls it a success: the contract holds all the same. */
@Tag("variant")
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
