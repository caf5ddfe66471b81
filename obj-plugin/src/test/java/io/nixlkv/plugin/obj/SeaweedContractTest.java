package io.nixlkv.plugin.obj;

import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("variant")
class SeaweedContractTest extends StorageContract {
    SeaweedContractTest() {
        super(new Setup());
    }

    public static final class Setup extends S3Setup {
        public Setup() {
            super(S3Server::seaweed, Map.of());
        }
    }
}
