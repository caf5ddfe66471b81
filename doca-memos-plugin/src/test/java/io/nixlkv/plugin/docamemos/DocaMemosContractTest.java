package io.nixlkv.plugin.docamemos;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import io.nixlkv.spi.tck.StorageContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** DOCA_MEMOS on a stand-in for the device: objects and slots. */
@NeedsStandIn
class DocaMemosContractTest extends StorageContract {
    DocaMemosContractTest() {
        super(new Setup());
    }

    public static final class Setup implements ContractSetup {
        public Setup() {
            if (StandIn.lacking().isEmpty()) {
                StandIn.named("sound").use();
            }
        }

        @Override
        public StorageStrategy strategy() {
            return new DocaMemosStrategy();
        }

        @Override
        public String engine() {
            return "nixl";
        }

        @Override
        public Map<String, String> config(Path location) {
            return Map.of("device_name", location.toString(), "num_tasks", "64", "min_free_hugepages", "0");
        }

        /** As layout doca-memos does: the device's keys have 128 bits. */
        @Override
        public String object(String name) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
                return HexFormat.of().formatHex(digest, 0, 16);
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        @Override
        public MemoryArena arena(long bytes) {
            return NativeIo.isAvailable() ? MappedArena.of(bytes) : new DirectArena(bytes);
        }

        /** What is whole on a device is the device's own doing. */
        @Override
        public int kills() {
            return 5;
        }
    }
}
