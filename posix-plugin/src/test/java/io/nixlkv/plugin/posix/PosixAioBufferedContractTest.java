package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

@NeedsNatives
class PosixAioBufferedContractTest extends StorageContract {
    PosixAioBufferedContractTest() {
        super(new Setup());
    }

    public static final class Setup extends NativeSetup {
        public Setup() {
            super("posix_aio", false);
        }
    }
}
