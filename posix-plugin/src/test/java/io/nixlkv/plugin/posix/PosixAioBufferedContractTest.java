package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;
import org.junit.jupiter.api.Tag;

@Tag("variant")
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
