package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

@NeedsNixl
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
