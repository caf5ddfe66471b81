package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RouterTest {
    private static int root(int roots, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return new Router().root(bytes, 0, bytes.length, roots);
    }

    @Test
    void spreadsEvenly() {
        int[] count = new int[5];
        for (int i = 0; i < 10_000; i++) {
            count[root(5, "model@0@" + i)]++;
        }
        for (int here : count) {
            assertTrue(here > 1800 && here < 2200, here + " of 10000 in one of 5 roots");
        }
    }

    @Test
    void anAppendedRootOnlyTakes() {
        int moved = 0;
        for (int i = 0; i < 10_000; i++) {
            int before = root(4, "k" + i);
            int after = root(5, "k" + i);
            if (before != after) {
                assertEquals(4, after);
                moved++;
            }
        }
        assertTrue(moved > 1800 && moved < 2200, moved + " of 10000 moved");
    }

    /** Frozen: another answer would make stored objects invisible. */
    @Test
    void neverChanges() {
        assertEquals(0, root(1, "a"));
        StringBuilder roots = new StringBuilder();
        for (int i = 0; i < 16; i++) {
            roots.append(root(3, "object-" + i));
        }
        assertEquals("1102010202101221", roots.toString());
    }
}
