package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.hicache.ElementType;
import io.nixlkv.api.hicache.TypedBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every bit of every type of element comes back. */
class HiCacheBufferTypesIT {
    @TempDir
    Path directory;

    @Test
    void everyTypeKeepsItsBits() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            for (ElementType type : ElementType.values()) {
                byte[] bits = new byte[7 * 3 * type.bytes()];
                new Random(type.ordinal()).nextBytes(bits);
                String key = HiCacheRig.hash(type.ordinal());
                assertTrue(rig.view
                        .set(key, TypedBuffer.of(type, ByteBuffer.wrap(bits), 7, 3))
                        .ok());
                TypedBuffer back = TypedBuffer.zeros(type, 7, 3);
                assertTrue(rig.view.get(key, back).ok());
                assertEquals(ByteBuffer.wrap(bits), back.bytes(), type.name());
            }
        }
    }

    @Test
    void numbersThatNeedEveryBit() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            double nan = Double.longBitsToDouble(0x7ff0_0000_dead_beefL); // a signalling NaN with a payload
            TypedBuffer doubles =
                    TypedBuffer.of(new double[] {nan, -0.0, Double.MIN_VALUE, Double.NEGATIVE_INFINITY}, 4);
            TypedBuffer longs = TypedBuffer.of(new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}, 3);
            TypedBuffer ints = TypedBuffer.of(new int[] {Integer.MIN_VALUE, 0x01020304}, 2);
            TypedBuffer flags = TypedBuffer.of(new boolean[] {true, false, true}, 3, 1);
            for (TypedBuffer value : new TypedBuffer[] {doubles, longs, ints, flags}) {
                assertTrue(rig.view.set(HiCacheRig.hash(0), value).ok());
                TypedBuffer back = TypedBuffer.zeros(value.type(), value.shape());
                assertTrue(rig.view.get(HiCacheRig.hash(0), back).ok());
                assertEquals(value.bytes(), back.bytes());
            }
            assertEquals(ByteOrder.nativeOrder(), ints.bytes().order());
            assertEquals(0x01020304, ints.bytes().getInt(4));
        }
    }

    @Test
    void aBufferIsASliceOfTheApplicationsMemory() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            byte[] memory = {9, 1, 2, 3, 4, 9};
            ByteBuffer part = ByteBuffer.wrap(memory, 1, 4);
            TypedBuffer tensor = TypedBuffer.of(ElementType.INT8, part, 2, 2);
            assertTrue(rig.view.set(HiCacheRig.hash(0), tensor).ok());
            assertTrue(rig.view
                    .get(HiCacheRig.hash(0), TypedBuffer.of(ElementType.INT8, ByteBuffer.wrap(memory, 2, 4), 4))
                    .ok());
            assertArrayEquals(new byte[] {9, 1, 1, 2, 3, 4}, memory);
            assertEquals(4, part.remaining(), "positions do not move");
        }
    }

    @Test
    void shapesMustFit() {
        assertThrows(IllegalArgumentException.class, () -> TypedBuffer.of(new float[] {1, 2, 3}, 2, 2));
        assertThrows(
                IllegalArgumentException.class, () -> TypedBuffer.of(ElementType.INT16, ByteBuffer.allocate(3), 1));
        assertThrows(IllegalArgumentException.class, () -> TypedBuffer.zeros(ElementType.INT16, 3, 0));
        assertThrows(ArithmeticException.class, () -> TypedBuffer.zeros(ElementType.INT64, 1 << 30, 1 << 30, 1 << 30));
    }
}
