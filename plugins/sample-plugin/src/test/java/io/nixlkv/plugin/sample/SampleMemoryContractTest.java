package io.nixlkv.plugin.sample;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import io.nixlkv.spi.tck.StorageContract;
import java.nio.file.Path;
import java.util.Map;

class SampleMemoryContractTest extends StorageContract {
    SampleMemoryContractTest() {
        super(new Setup());
    }

    public static final class Setup implements ContractSetup {
        @Override
        public StorageStrategy strategy() {
            return new SampleMemory();
        }

        @Override
        public String engine() {
            return "map";
        }

        @Override
        public Map<String, String> config(Path location) {
            return Map.of("capacity", "512MiB");
        }

        @Override
        public boolean persistent() {
            return false;
        }
    }
}
