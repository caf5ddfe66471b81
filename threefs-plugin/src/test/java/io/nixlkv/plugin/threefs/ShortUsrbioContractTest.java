package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;
import org.junit.jupiter.api.Tag;

/** Every second transfer is short and has to go on. */
@Tag("variant")
@NeedsStandIn
class ShortUsrbioContractTest extends StorageContract {
    ShortUsrbioContractTest() {
        super(new Setup());
    }

    public static final class Setup extends ThreeFsSetup {
        public Setup() {
            super("usrbio", "short");
        }
    }
}
