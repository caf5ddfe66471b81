package io.nixlkv.plugin.posix;

import io.nixlkv.plugin.support.testing.NeedsNixl;
import io.nixlkv.spi.tck.StorageContract;

@NeedsNixl("POSIX")
class NixlUringDirectContractTest extends StorageContract {
    NixlUringDirectContractTest() {
        super(new Setup());
    }

    public static final class Setup extends NixlSetup {
        public Setup() {
            super("use_uring", true);
        }
    }
}
