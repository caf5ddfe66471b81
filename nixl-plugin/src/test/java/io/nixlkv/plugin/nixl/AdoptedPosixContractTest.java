package io.nixlkv.plugin.nixl;

import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsNixl;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import io.nixlkv.spi.tck.StorageContract;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The contract holds for a plugin of which nothing is known. */
@Tag("variant")
@NeedsNixl("POSIX")
class AdoptedPosixContractTest extends StorageContract {
    AdoptedPosixContractTest() {
        super(new Setup());
    }

    public static final class Setup implements ContractSetup {
        public Setup() {
            NeedsNixl.Condition.useInstalled();
        }

        @Override
        public StorageStrategy strategy() {
            return new NixlStrategy();
        }

        @Override
        public String engine() {
            return "posix";
        }

        @Override
        public Map<String, String> config(Path location) {
            return Map.of("file_path", location.toString(), "use_direct_io", "false");
        }

        @Override
        public MemoryArena arena(long bytes) {
            return MappedArena.of(bytes);
        }

        @Override
        public int kills() {
            return 10;
        }
    }
}
