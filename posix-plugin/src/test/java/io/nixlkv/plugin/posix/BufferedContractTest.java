package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

class BufferedContractTest extends StorageContract {
    BufferedContractTest() {
        super(new Setup());
    }

    public static final class Setup extends PosixSetup {
        public Setup() {
            super(false);
        }
    }
}
