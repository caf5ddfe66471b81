package io.nixlkv.plugin.posix;

import io.nixlkv.spi.tck.StorageContract;
import org.junit.jupiter.api.Tag;

@Tag("variant")
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
