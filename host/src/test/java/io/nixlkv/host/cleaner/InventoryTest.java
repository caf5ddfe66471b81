package io.nixlkv.host.cleaner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InventoryTest {
    private static final long NOW = 1_800_000_000_000L;

    private static List<String> names(Inventory inventory, int group) {
        List<String> names = new ArrayList<>();
        for (int file = inventory.firstOf(group); file >= 0; file = inventory.nextOf(file)) {
            names.add(inventory.nameOf(file));
        }
        names.sort(null);
        return names;
    }

    @Test
    void aGroupIsAsOldAsTheLastUseOfAnyOfItsFiles() {
        Inventory inventory = new Inventory(1, 100);
        int folder = inventory.folder(0, "a0/");
        inventory.add(folder, "x_k", "x", 10, NOW - 5000);
        inventory.add(folder, "y_k", "y", 20, NOW - 3000);
        inventory.add(folder, "x_v", "x", 30, NOW - 1000);
        int[] oldest = inventory.oldestFirst(NOW);
        assertEquals(2, oldest.length);
        assertEquals(List.of("y_k"), names(inventory, oldest[0]));
        assertEquals(List.of("x_k", "x_v"), names(inventory, oldest[1]));
        assertEquals(60, inventory.bytes());
        assertEquals(60, inventory.bytesOfRoot(0));
        assertEquals(1, inventory.share());
    }

    /** A clock that was wrong for a while must not make its files immortal. */
    @Test
    void timesInTheFutureGoFirst() {
        Inventory inventory = new Inventory(1, 100);
        int folder = inventory.folder(0, "");
        inventory.add(folder, "now", "now", 1, NOW);
        inventory.add(folder, "soon", "soon", 1, NOW + 1000);
        inventory.add(folder, "2100", "2100", 1, NOW + 2_000_000_000_000L);
        inventory.add(folder, "2050", "2050", 1, NOW + 1_000_000_000_000L);
        inventory.add(folder, "1970", "1970", 1, 0);
        List<String> order = new ArrayList<>();
        for (int group : inventory.oldestFirst(NOW)) {
            order.addAll(names(inventory, group));
        }
        assertEquals(List.of("2050", "2100", "1970", "now", "soon"), order);
    }

    @Test
    void aboveItsLimitItIsASampleOfWholeGroups() {
        Inventory inventory = new Inventory(2, 1000);
        int first = inventory.folder(0, "a0/");
        int second = inventory.folder(1, "b0/");
        int groups = 20_000;
        for (int part = 0; part < 2; part++) {
            for (int group = 0; group < groups; group++) {
                inventory.add(part == 0 ? first : second, group + "_" + part, "g" + group, 4096, NOW - group);
            }
        }
        assertEquals(2L * groups, inventory.files());
        assertEquals(2L * groups * 4096, inventory.bytes());
        assertEquals((long) groups * 4096, inventory.bytesOfRoot(1));
        int kept = 0;
        for (int group : inventory.oldestFirst(NOW)) {
            List<String> names = names(inventory, group);
            String number = names.get(0).substring(0, names.get(0).indexOf('_'));
            assertEquals(List.of(number + "_0", number + "_1"), names);
            kept += 2;
        }
        assertTrue(kept > 300 && kept <= 1000, kept + " files");
        assertEquals(kept / (2.0 * groups), inventory.share(), 1e-9);
    }

    @Test
    void manyFilesKeepTheirNames() {
        Inventory inventory = new Inventory(1, 1 << 18);
        int folder = inventory.folder(0, "00/");
        for (int i = 0; i < 50_000; i++) {
            inventory.add(folder, "näme" + i, "g" + i, i, NOW - i);
        }
        int[] oldest = inventory.oldestFirst(NOW);
        int file = inventory.firstOf(oldest[0]);
        assertEquals("näme49999", inventory.nameOf(file));
        assertEquals(49_999, inventory.bytesOf(file));
        assertEquals(NOW - 49_999, inventory.lastUseOf(file));
        assertArrayEquals(new int[] {-1}, new int[] {inventory.nextOf(file)});
    }
}
