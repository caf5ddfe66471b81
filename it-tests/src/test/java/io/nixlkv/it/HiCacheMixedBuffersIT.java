package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.hicache.ElementType;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.api.hicache.TypedBuffer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single and batch operations on the same pages, of tensors and of pool pages. */
class HiCacheMixedBuffersIT {
    @TempDir
    Path directory;

    @Test
    void singleAndBatchSeeEachOther() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            assertTrue(rig.view
                    .set(HiCacheRig.hash(0), TypedBuffer.of(new int[] {10, 11}, 2))
                    .ok());
            List<String> others = List.of(HiCacheRig.hash(1), HiCacheRig.hash(2));
            assertTrue(rig.view
                    .batchSet(others, List.of(TypedBuffer.of(new int[] {20}, 1), TypedBuffer.of(new long[] {30}, 1, 1)))
                    .allOk());
            assertEquals(3, rig.view.batchExists(HiCacheRig.hashes(4)));

            List<TypedBuffer> back = List.of(
                    TypedBuffer.zeros(ElementType.INT32, 2),
                    TypedBuffer.zeros(ElementType.INT32, 1),
                    TypedBuffer.zeros(ElementType.INT64, 1));
            assertTrue(rig.view.batchGet(HiCacheRig.hashes(3), back).allOk());
            assertEquals(11, back.get(0).bytes().getInt(4));
            TypedBuffer one = TypedBuffer.zeros(ElementType.INT64, 1);
            assertTrue(rig.view.get(HiCacheRig.hash(2), one).ok());
            assertEquals(30, one.bytes().getLong());
        }
    }

    @Test
    void aCopiedPageIsATensorToo() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            StridedPool pool = StridedPool.layerFirst(ByteBuffer.allocate(2 * 3 * 4 * 100), false, 3, 4, 100);
            try (var registration = rig.view.register(pool)) {
                HiCacheRig.fill(pool);
                assertTrue(rig.view.batchSetV1(List.of(HiCacheRig.hash(0)), 2).allOk());
                TypedBuffer tensor = TypedBuffer.zeros(ElementType.UINT8, 2, 3, 100);
                assertTrue(rig.view.get(HiCacheRig.hash(0), tensor).ok());
                assertEquals(ByteBuffer.wrap(HiCacheRig.content(2, 600)), tensor.bytes());

                assertTrue(rig.view.set(HiCacheRig.hash(1), tensor).ok());
                assertEquals(2, rig.view.batchExists(HiCacheRig.hashes(2)));
                assertTrue(rig.view.batchGetV1(List.of(HiCacheRig.hash(1)), 0).allOk());
                assertTrue(HiCacheRig.holds(pool, 0, 2));
                assertTrue(registration.bouncePages() > 0);
            }
        }
    }
}
