package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

class DirectContractTest extends StorageContract {
    DirectContractTest() {
        super(new Setup());
    }

    public static final class Setup extends PosixSetup {
        public Setup() {
            super(true);
        }
    }
}
