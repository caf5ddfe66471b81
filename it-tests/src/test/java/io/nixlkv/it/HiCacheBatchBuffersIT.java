package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.hicache.ElementType;
import io.nixlkv.api.hicache.TypedBuffer;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches of tensors, each of its own shape. */
class HiCacheBatchBuffersIT {
    @TempDir
    Path directory;

    @Test
    void eachTensorHasItsOwnShape() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            List<TypedBuffer> values = List.of(
                    TypedBuffer.of(doubles(25), 5, 5),
                    TypedBuffer.of(doubles(9), 3, 3),
                    TypedBuffer.of(doubles(49), 7, 7));
            assertTrue(rig.view.batchSet(HiCacheRig.hashes(3), values).allOk());
            List<TypedBuffer> back = List.of(
                    TypedBuffer.zeros(ElementType.FLOAT64, 5, 5),
                    TypedBuffer.zeros(ElementType.FLOAT64, 3, 3),
                    TypedBuffer.zeros(ElementType.FLOAT64, 7, 7));
            assertTrue(rig.view.batchGet(HiCacheRig.hashes(3), back).allOk());
            for (int i = 0; i < 3; i++) {
                assertEquals(values.get(i).bytes(), back.get(i).bytes());
            }
            assertArrayEquals(new int[] {7, 7}, back.get(2).shape());
        }
    }

    private static double[] doubles(int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = Math.sqrt(count + i);
        }
        return values;
    }

    @Test
    void aMissingOrOtherTensorFailsAlone() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            List<TypedBuffer> values = List.of(TypedBuffer.of(new int[] {1}, 1), TypedBuffer.of(new int[] {2, 3}, 2));
            assertTrue(rig.view.batchSet(HiCacheRig.hashes(2), values).allOk());
            List<TypedBuffer> back = List.of(
                    TypedBuffer.zeros(ElementType.INT32, 1),
                    TypedBuffer.zeros(ElementType.INT32, 3),
                    TypedBuffer.zeros(ElementType.INT32, 1));
            BatchResult result = rig.view.batchGet(HiCacheRig.hashes(3), back);
            assertEquals(
                    List.of(Status.DONE, Status.WRONG_SIZE, Status.MISSING),
                    result.results().stream().map(ObjectResult::status).toList());
            assertEquals(1, back.get(0).bytes().getInt());
        }
    }

    @Test
    void aBatchLargerThanTheArenaIsCompleted() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            int count = 10;
            int bytes = 12 << 20; // of an arena of 64 MiB
            List<TypedBuffer> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ByteBuffer memory = ByteBuffer.allocate(bytes);
                memory.put(bytes - 1, (byte) (i + 1));
                values.add(TypedBuffer.of(ElementType.INT8, memory, bytes));
            }
            assertTrue(rig.view.batchSet(HiCacheRig.hashes(count), values).allOk());
            TypedBuffer tooLarge = TypedBuffer.zeros(ElementType.INT8, 65 << 20);
            TypedBuffer target = TypedBuffer.zeros(ElementType.INT8, bytes);
            BatchResult result = rig.view.batchGet(
                    HiCacheRig.hashes(3), List.of(target, tooLarge, TypedBuffer.zeros(ElementType.INT8, bytes)));
            assertEquals(
                    List.of(Status.DONE, Status.INVALID, Status.DONE),
                    result.results().stream().map(ObjectResult::status).toList());
            assertTrue(
                    result.get(1).reason().contains("store.arena_gb"),
                    result.get(1).reason());
            assertEquals(1, target.bytes().get(bytes - 1));
            assertEquals(rig.store.arena().bytes(), rig.store.arena().freeBytes());
        }
    }

    @Test
    void aWrongBatchIsRefusedBeforeAnythingIsWritten() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            TypedBuffer value = TypedBuffer.zeros(ElementType.INT8, 1);
            String key = HiCacheRig.hash(0);
            assertThrows(StorageException.class, () -> rig.view.batchSet(List.of(key, key), List.of(value, value)));
            assertThrows(StorageException.class, () -> rig.view.batchSet(List.of(key), List.of(value, value)));
            assertThrows(StorageException.class, () -> rig.view.batchSet(List.of(key, "x"), List.of(value, value)));
            assertEquals(0, rig.view.batchSet(List.of(), List.of()).size());
            assertEquals(List.of(), rig.files());
        }
    }
}
