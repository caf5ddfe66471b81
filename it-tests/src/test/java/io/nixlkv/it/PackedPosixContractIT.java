package io.nixlkv.it;

import io.nixlkv.host.discovery.PluginCatalog;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import io.nixlkv.spi.tck.StorageContract;
import java.nio.file.Path;
import java.util.Map;

/** The contract suite over the packed jar, loaded by the host's own discovery and class loader. */
class PackedPosixContractIT extends StorageContract {
    PackedPosixContractIT() {
        super(new PackedPosix());
    }

    /** The POSIX strategy out of the distribution's plugins folder. */
    public static final class PackedPosix implements ContractSetup {
        private final PluginCatalog catalog = PluginCatalog.discover(Distribution.PLUGINS);

        @Override
        public StorageStrategy strategy() {
            return catalog.find("POSIX").orElseThrow().strategy();
        }

        @Override
        public String engine() {
            return "nio";
        }

        @Override
        public Map<String, String> config(Path location) {
            return Map.of("file_path", location.toString(), "use_direct_io", "false");
        }
    }
}
