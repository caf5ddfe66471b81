package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

@NeedsNixl
class NixlAioBufferedContractTest extends StorageContract {
    NixlAioBufferedContractTest() {
        super(new Setup());
    }

    public static final class Setup extends NixlSetup {
        public Setup() {
            super("use_aio", false);
        }
    }
}
