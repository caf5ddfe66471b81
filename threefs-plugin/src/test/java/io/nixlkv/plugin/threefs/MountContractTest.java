package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;

/** Ordinary files of the mount. */
@NeedsStandIn
class MountContractTest extends StorageContract {
    MountContractTest() {
        super(new Setup());
    }

    public static final class Setup extends ThreeFsSetup {
        public Setup() {
            super("posix");
        }
    }
}
