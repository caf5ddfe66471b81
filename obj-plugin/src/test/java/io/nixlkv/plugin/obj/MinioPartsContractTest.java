package io.nixlkv.plugin.obj;

import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("variant")
class MinioPartsContractTest extends StorageContract {
    MinioPartsContractTest() {
        super(new Setup());
    }

    public static final class Setup extends S3Setup {
        public Setup() {
            super(
                    S3Server::minio,
                    Map.of(
                            "multipart_threshold",
                            "5MiB",
                            "part_size",
                            "5MiB",
                            "prefix",
                            "kv/",
                            "req_checksum",
                            "supported"));
        }
    }
}
