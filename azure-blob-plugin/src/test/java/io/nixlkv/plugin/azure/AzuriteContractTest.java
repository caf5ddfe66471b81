package io.nixlkv.plugin.azure;

import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;

class AzuriteContractTest extends StorageContract {
    AzuriteContractTest() {
        super(new Setup());
    }

    public static final class Setup extends AzuriteSetup {
        public Setup() {
            super(Map.of());
        }
    }
}
