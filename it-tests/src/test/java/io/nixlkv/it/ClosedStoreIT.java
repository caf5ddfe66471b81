package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.KvStore;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that opens and closes stores for months. */
class ClosedStoreIT {
    @TempDir
    Path directory;

    @Test
    void aClosedStoreAndItsMemoryAreLetGo() {
        try (PackedHost host = new PackedHost()) {
            WeakReference<KvStore> closed = openedAndClosed(host);
            for (int i = 0; i < 50 && closed.get() != null; i++) {
                System.gc();
            }
            assertNull(closed.get(), "the host keeps a closed store and its arena");
            try (KvStore next = host.raw(directory)) {
                assertTrue(next.status().healthy());
            }
        }
    }

    private WeakReference<KvStore> openedAndClosed(PackedHost host) {
        try (KvStore store = host.raw(directory)) {
            return new WeakReference<>(store);
        }
    }
}
