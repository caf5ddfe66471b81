package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;
import org.junit.jupiter.api.Tag;

/** Ordinary files of the mount. */
@Tag("variant")
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
