package io.nixlkv.spi.tck.objects;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import io.nixlkv.spi.tck.StorageContract;
import java.nio.file.Path;
import java.util.Map;

class AsyncObjectsContractTest extends StorageContract {
    AsyncObjectsContractTest() {
        super(new Setup());
    }

    public static final class Setup implements ContractSetup {
        @Override
        public StorageStrategy strategy() {
            return new AsyncObjects();
        }

        @Override
        public String engine() {
            return "sdk";
        }

        @Override
        public Map<String, String> config(Path location) {
            return Map.of();
        }

        @Override
        public boolean persistent() {
            return false;
        }
    }
}
