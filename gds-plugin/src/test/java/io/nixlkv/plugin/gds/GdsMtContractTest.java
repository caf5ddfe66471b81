package io.nixlkv.plugin.gds;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.tck.StorageContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** With the values a user would take. */
@Tag("variant")
@NeedsStandIn
class GdsMtContractTest extends StorageContract {
    GdsMtContractTest() {
        super(new Setup());
    }

    public static final class Setup extends GdsSetup {
        public Setup() {
            super(new GdsMtStrategy(), Map.of("thread_count", "2"), "sound");
        }
    }
}
