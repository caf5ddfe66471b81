package io.nixlkv.plugin.posix;

import io.nixlkv.plugin.support.testing.NeedsNixl;
import io.nixlkv.spi.tck.StorageContract;
import org.junit.jupiter.api.Tag;

@Tag("variant")
@NeedsNixl("POSIX")
class NixlAioDirectContractTest extends StorageContract {
    NixlAioDirectContractTest() {
        super(new Setup());
    }

    public static final class Setup extends NixlSetup {
        public Setup() {
            super("use_aio", true);
        }
    }
}
