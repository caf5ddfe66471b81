package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

@NeedsNatives
class PosixAioDirectContractTest extends StorageContract {
    PosixAioDirectContractTest() {
        super(new Setup());
    }

    public static final class Setup extends NativeSetup {
        public Setup() {
            super("posix_aio", true);
        }
    }
}
