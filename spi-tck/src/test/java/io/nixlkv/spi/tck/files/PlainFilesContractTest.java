package io.nixlkv.spi.tck.files;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import io.nixlkv.spi.tck.StorageContract;
import java.nio.file.Path;
import java.util.Map;

class PlainFilesContractTest extends StorageContract {
    PlainFilesContractTest() {
        super(new Setup());
    }

    public static final class Setup implements ContractSetup {
        @Override
        public StorageStrategy strategy() {
            return new PlainFiles();
        }

        @Override
        public String engine() {
            return "plain";
        }

        @Override
        public Map<String, String> config(Path location) {
            return Map.of("path", location.toString());
        }

        @Override
        public int kills() {
            return 200;
        }
    }
}
