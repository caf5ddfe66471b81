package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.StridedPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code batchExists} counts leading pages: two objects a page for MHA with zero copy, one for MLA and in copy mode. */
class HiCacheLeadingPagesIT {
    private static final int PAGES = 6;
    private static final List<String> HASHES = HiCacheRig.hashes(PAGES);

    @TempDir
    Path directory;

    private static PageKey key(HiCacheIdentity identity, int page, String part) {
        return new PageKey(
                HASHES.get(page), identity.model(), identity.tpRank(), identity.mla() ? 0 : identity.tpSize(), part);
    }

    @Test
    void mhaNeedsBothObjectsOfEachPage() throws IOException {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool pool = rig.pool(PAGES, 1000)) {
            rig.view.register(pool);
            assertEquals(0, rig.view.batchExists(HASHES));
            assertTrue(rig.view.batchSetV1(HASHES, HiCacheRig.pages(PAGES)).allOk());
            assertEquals(2 * PAGES, rig.files().size());
            assertEquals(PAGES, rig.view.batchExists(HASHES));
            assertEquals(2, rig.view.batchExists(HASHES.subList(4, 6)));
            Files.delete(rig.file(key(HiCacheRig.MHA, 4, "v")));
            assertEquals(4, rig.view.batchExists(HASHES));
            Files.delete(rig.file(key(HiCacheRig.MHA, 1, "k")));
            assertEquals(1, rig.view.batchExists(HASHES), "what follows a hole does not count");
            Files.delete(rig.file(key(HiCacheRig.MHA, 0, "k")));
            assertEquals(0, rig.view.batchExists(HASHES));
        }
    }

    @Test
    void mlaHasOneObjectForEachPage() throws IOException {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA);
                ArenaPool pool = rig.pool(PAGES, 1000)) {
            rig.view.register(pool);
            assertTrue(rig.view.batchSetV1(HASHES, HiCacheRig.pages(PAGES)).allOk());
            assertEquals(PAGES, rig.files().size());
            assertEquals(PAGES, rig.view.batchExists(HASHES));
            Files.delete(rig.file(key(HiCacheRig.MLA, 1, "k")));
            assertEquals(1, rig.view.batchExists(HASHES));
        }
    }

    @Test
    void copiedPagesAreOneObjectUnderAnotherName() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool pool = rig.pool(PAGES, 1000)) {
            try (var registration = rig.view.register(pool)) {
                assertTrue(registration.zeroCopy());
                assertTrue(rig.view.batchSetV1(HASHES, HiCacheRig.pages(PAGES)).allOk());
            }
            StridedPool copied = StridedPool.layerFirst(ByteBuffer.allocate(2 * PAGES * 1000), false, 1, PAGES, 1000);
            rig.view.register(copied);
            assertEquals(0, rig.view.batchExists(HASHES), "pages of the two modes do not mix");
            assertTrue(rig.view.batchSetV1(HASHES.subList(0, 3), 0, 1, 2).allOk());
            assertEquals(3, rig.view.batchExists(HASHES));
            assertEquals(2 * PAGES + 3, rig.files().size());
        }
    }

    @Test
    void pagesOfAnotherSizeAreNone() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA);
                ArenaPool small = rig.pool(1, 1000);
                ArenaPool large = rig.pool(1, 2000)) {
            List<String> one = HASHES.subList(0, 1);
            try (var registration = rig.view.register(small)) {
                assertTrue(
                        registration.zeroCopy() && rig.view.batchSetV1(one, 0).allOk());
            }
            rig.view.register(large);
            assertEquals(0, rig.view.batchExists(one), "another page size under the same name");
            assertTrue(rig.view.batchSetV1(one, 0).allOk(), "is replaced");
            assertEquals(1, rig.view.batchExists(one));
        }
    }
}
