package io.nixlkv.plugin.azure;

import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("variant")
class AzuriteBlocksContractTest extends StorageContract {
    AzuriteBlocksContractTest() {
        super(new Setup());
    }

    public static final class Setup extends AzuriteSetup {
        public Setup() {
            super(Map.of("multipart_threshold", "5MiB", "part_size", "5MiB", "prefix", "kv/"));
        }
    }
}
