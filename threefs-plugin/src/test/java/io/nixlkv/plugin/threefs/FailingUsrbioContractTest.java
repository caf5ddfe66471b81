package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;
import org.junit.jupiter.api.Tag;

/** The ring fails on all but the first bytes of large files; they go the ordinary way. */
@Tag("variant")
@NeedsStandIn
class FailingUsrbioContractTest extends StorageContract {
    FailingUsrbioContractTest() {
        super(new Setup());
    }

    public static final class Setup extends ThreeFsSetup {
        public Setup() {
            super("usrbio", "error");
        }
    }
}
