package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;
import org.junit.jupiter.api.Tag;

/** The native plugin, which copies when a request is made and takes short transfers for whole ones. */
@NeedsStandIn
@Tag("variant")
class Hf3fsContractTest extends StorageContract {
    Hf3fsContractTest() {
        super(new Setup());
    }

    public static final class Setup extends ThreeFsSetup {
        public Setup() {
            super("nixl");
        }
    }
}
