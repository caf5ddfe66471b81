package io.nixlkv.plugin.posix;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import java.nio.file.Path;
import java.util.Map;

/** POSIX on one directory, engine {@code nio}. */
abstract class PosixSetup implements ContractSetup {
    private final boolean direct;

    PosixSetup(boolean direct) {
        this.direct = direct;
    }

    @Override
    public StorageStrategy strategy() {
        return new PosixStrategy();
    }

    @Override
    public String engine() {
        return PosixStrategy.NIO;
    }

    @Override
    public Map<String, String> config(Path location) {
        return Map.of("file_path", location.toString(), "use_direct_io", Boolean.toString(direct));
    }

    /** Many for the two ways of publication, named and unnamed temporaries; the other engines share one of the two. */
    @Override
    public int kills() {
        return !direct && (engine().equals("threads") || engine().equals(PosixStrategy.NIO)) ? 150 : 10;
    }
}
