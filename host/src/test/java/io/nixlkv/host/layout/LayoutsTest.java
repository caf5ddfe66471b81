package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ObjectKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.LayoutSettings;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;
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
    @ValueSource(strings = {"lmcache", "lmcache-dynamic", "lmcache-engine", "hicache", "doca-memos", "raw"})
    void everyLayoutIsThere(String layout) {
        HostConfig config = HostConfig.parse("[store]\nlayout = '" + layout + "'", "c.toml", Map.of());
        assertEquals(List.of(), config.warnings());
        assertEquals(layout, Layouts.of(config.store()).id());
        assertTrue(Layouts.IDS.contains(layout));
        assertFalse(Layouts.formsOf(layout, LayoutSettings.NONE).isEmpty());
    }

    @Test
    void layoutSettingsReachTheLayout() {
        LayoutSettings settings =
                HostConfig.parse("""
                        [store]
                        layout = "hicache"
                        model = "x/y"
                        tp_rank = 1
                        tp_size = 2
                        mla = true
                        host_layout = "page_first"
                        side_pools = "p1, p2"
                        long_names = "hash"
                        """, "c.toml", Map.of()).store().layoutSettings();
        assertEquals(new LayoutSettings("x/y", 1, 2, true, "page_first", List.of("p1", "p2"), true), settings);
    }

    @Test
    void anUnknownLayoutIsRefused() {
        StorageException refused =
                assertThrows(StorageException.class, () -> Layouts.formsOf("lmcahe", LayoutSettings.NONE));
        assertEquals(Status.UNSUPPORTED, refused.status());
        assertTrue(refused.getMessage().contains("lmcache-dynamic"), refused.getMessage());
    }
}
