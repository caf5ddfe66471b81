package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.LayoutSettings;
import io.nixlkv.host.config.NameForm;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutsTest {

    private static String name(String store) {
        Layout layout = Layouts.of(
                HostConfig.parse("[store]\n" + store, "c.toml", Map.of()).store());
        NameBuffer name = new NameBuffer();
        layout.name(new ObjectKey("org/model", 42, 7, "00112233", "s"), name);
        return name.toString();
    }

    @Test
    void settingsReachTheLayout() {
        assertEquals("org-SEP-model@0x0000002a@7@00112233@s.data", name(""));
        assertEquals("org/model@0000002a@7@00112233@s", name("name_form = 'wire'"));
        assertEquals("00/11/org-SEP-model@0x0000002a@7@00112233@s.data", name("shard_dirs = true"));
        assertEquals("00/11/org/model@0000002a@7@00112233@s", name("shard_dirs = true\nname_form = 'WIRE'"));
        assertInstanceOf(
                RawLayout.class,
                Layouts.of(HostConfig.defaults(Map.of())
                        .withCall("store.layout", "raw")
                        .store()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lmcache-dynamic", "lmcache-engine", "hicache", "doca-memos"})
    void laterLayoutsAreNotSupportedYet(String layout) {
        StoreSettings settings = new StoreSettings(
                layout,
                1,
                1,
                1,
                Mode.CREATE,
                Atomicity.PER_OBJECT,
                false,
                0,
                NameForm.FILE,
                false,
                0,
                0,
                0,
                Duration.ofSeconds(1),
                false,
                false,
                LayoutSettings.NONE);
        StorageException refused = assertThrows(StorageException.class, () -> Layouts.of(settings));
        assertEquals(Status.UNSUPPORTED, refused.status());
        assertEquals("layout " + layout + " is not supported yet; use lmcache or raw", refused.getMessage());
    }
}
