package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;

@NeedsNatives
class ThreadsDirectContractTest extends StorageContract {
    ThreadsDirectContractTest() {
        super(new Setup());
    }

    public static final class Setup extends NativeSetup {
        public Setup() {
            super("threads", true);
        }
    }
}
