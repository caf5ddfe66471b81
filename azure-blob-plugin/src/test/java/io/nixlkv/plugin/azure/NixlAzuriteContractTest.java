package io.nixlkv.plugin.azure;

import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsNixl;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.tck.StorageContract;
import java.nio.file.Path;
import java.util.Map;

/** NIXL's own AZURE_BLOB plugin on Azurite. */
@NeedsNixl("AZURE_BLOB")
class NixlAzuriteContractTest extends StorageContract {
    NixlAzuriteContractTest() {
        super(new Setup());
    }

    public static final class Setup extends AzuriteSetup {
        public Setup() {
            super(Map.of());
            NeedsNixl.Condition.useInstalled();
        }

        @Override
        public String engine() {
            return "nixl";
        }

        /** NIXL answers neither length nor reason, so that one cannot be told from an object that cannot be read. */
        @Override
        public boolean putEmpty(Path location, String name) {
            return false;
        }

        @Override
        public MemoryArena arena(long bytes) {
            return MappedArena.whereThereIsOne(bytes);
        }

        /** Fewer again: every child loads NIXL. */
        @Override
        public int kills() {
            return 3;
        }
    }
}
