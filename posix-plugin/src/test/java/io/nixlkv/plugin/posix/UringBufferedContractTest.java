package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;
import org.junit.jupiter.api.Tag;

@Tag("variant")
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
