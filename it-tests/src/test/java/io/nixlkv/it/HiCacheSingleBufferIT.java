package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.hicache.ElementType;
import io.nixlkv.api.hicache.TypedBuffer;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single tensors: set, get, exists. */
class HiCacheSingleBufferIT {
    private static final String KEY = HiCacheRig.hash(1);

    @TempDir
    Path directory;

    @Test
    void aTensorComesBack() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            float[] values = {1, -2, 3.5f, Float.MIN_VALUE, 0, 7};
            assertFalse(rig.view.exists(KEY));
            assertEquals(
                    Status.DONE, rig.view.set(KEY, TypedBuffer.of(values, 2, 3)).status());
            assertTrue(rig.view.exists(KEY));
            assertEquals(List.of(KEY + "_org-model_0_1"), rig.names(), "a tensor is one object");

            TypedBuffer back = TypedBuffer.zeros(ElementType.FLOAT32, 2, 3);
            assertEquals(24, rig.view.get(KEY, back).storedLength());
            float[] read = new float[6];
            back.bytes().asFloatBuffer().get(read);
            assertArrayEquals(values, read);
        }
    }

    @Test
    void aLaterSetReplaces() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            assertTrue(rig.view
                    .set(KEY, TypedBuffer.of(new long[] {1, 2, 3}, 3))
                    .ok());
            assertTrue(rig.view.set(KEY, TypedBuffer.of(new long[] {9}, 1)).ok(), "of another shape");
            TypedBuffer back = TypedBuffer.zeros(ElementType.INT64);
            assertTrue(rig.view.get(KEY, back).ok(), "a single element has no dimensions");
            assertEquals(9, back.bytes().getLong());
        }
    }

    @Test
    void aMissIsToldAndTheBufferUntouched() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            ByteBuffer direct = ByteBuffer.allocateDirect(100);
            direct.put(50, (byte) 42);
            TypedBuffer target = TypedBuffer.of(ElementType.UINT8, direct, 10, 10);
            assertEquals(Status.MISSING, rig.view.get(KEY, target).status());

            assertTrue(
                    rig.view.set(KEY, TypedBuffer.zeros(ElementType.UINT8, 99)).ok());
            ObjectResult other = rig.view.get(KEY, target);
            assertEquals(Status.WRONG_SIZE, other.status());
            assertEquals(99, other.storedLength());
            assertEquals(42, direct.get(50));
            assertTrue(rig.view.set(KEY, target).ok(), "direct memory");
            assertTrue(rig.view.get(KEY, target).ok());
            assertEquals(42, direct.get(50));
        }
    }

    @Test
    void aKeyIsAPageHash() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            TypedBuffer value = TypedBuffer.zeros(ElementType.INT8, 1);
            for (String wrong : List.of("", "../etc", "ABC", KEY.toUpperCase(Locale.ROOT), KEY + "0")) {
                StorageException refused = assertThrows(StorageException.class, () -> rig.view.set(wrong, value));
                assertEquals(Status.INVALID, refused.status());
                assertTrue(refused.getMessage().contains("64 lower-case hex digits"), refused.getMessage());
            }
            assertEquals(List.of(), rig.files());
        }
    }
}
