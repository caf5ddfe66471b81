package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

@NeedsNatives
class UringBufferedContractTest extends StorageContract {
    UringBufferedContractTest() {
        super(new Setup());
    }

    public static final class Setup extends NativeSetup {
        public Setup() {
            super("uring", false);
        }
    }
}
