package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;

/** The ring on a mount without faults. */
@NeedsStandIn
class UsrbioContractTest extends StorageContract {
    UsrbioContractTest() {
        super(new Setup());
    }

    public static final class Setup extends ThreeFsSetup {
        public Setup() {
            super("usrbio");
        }
    }
}
