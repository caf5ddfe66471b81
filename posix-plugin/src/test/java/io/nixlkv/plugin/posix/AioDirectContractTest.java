package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

@NeedsNatives
class AioDirectContractTest extends StorageContract {
    AioDirectContractTest() {
        super(new Setup());
    }

    public static final class Setup extends NativeSetup {
        public Setup() {
            super("aio", true);
        }
    }
}
