package io.nixlkv.api.hicache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A tensor in host memory: elements of one type in a shape of their own, the last dimension contiguous, in the machine's byte order. It
 * shares the memory that it is made of; that memory may be on the heap, direct or mapped.
 *
 * <p>A store keeps the bytes alone: whoever loads a tensor brings a buffer of the right type and shape. A buffer of another size is
 * refused as of the wrong size.
 */
public final class TypedBuffer {
    private final ElementType type;
    private final int[] shape;
    private final ByteBuffer bytes;

    private TypedBuffer(ElementType type, int[] shape, ByteBuffer bytes) {
        this.type = type;
        this.shape = shape.clone();
        this.bytes = bytes;
    }

    /**
     * The elements in a buffer, from position to limit.
     *
     * @param shape dimensions, each at least 1; none for a single element
     * @throws IllegalArgumentException if the shape needs more or fewer bytes than there are
     */
    public static TypedBuffer of(ElementType type, ByteBuffer bytes, int... shape) {
        long wanted = sizeOf(type, shape);
        if (wanted != bytes.remaining()) {
            throw new IllegalArgumentException(
                    Arrays.toString(shape) + " of " + type + " is " + wanted + " bytes, not " + bytes.remaining());
        }
        return new TypedBuffer(type, shape, bytes.slice());
    }

    /** Zeros in new heap memory. */
    public static TypedBuffer zeros(ElementType type, int... shape) {
        return of(type, ByteBuffer.allocate(Math.toIntExact(sizeOf(type, shape))), shape);
    }

    /** A copy of floats. */
    public static TypedBuffer of(float[] values, int... shape) {
        TypedBuffer tensor = sized(ElementType.FLOAT32, values.length, shape);
        tensor.bytes().asFloatBuffer().put(values);
        return tensor;
    }

    /** A copy of doubles. */
    public static TypedBuffer of(double[] values, int... shape) {
        TypedBuffer tensor = sized(ElementType.FLOAT64, values.length, shape);
        tensor.bytes().asDoubleBuffer().put(values);
        return tensor;
    }

    /** A copy of ints. */
    public static TypedBuffer of(int[] values, int... shape) {
        TypedBuffer tensor = sized(ElementType.INT32, values.length, shape);
        tensor.bytes().asIntBuffer().put(values);
        return tensor;
    }

    /** A copy of longs. */
    public static TypedBuffer of(long[] values, int... shape) {
        TypedBuffer tensor = sized(ElementType.INT64, values.length, shape);
        tensor.bytes().asLongBuffer().put(values);
        return tensor;
    }

    /** A copy of booleans, a byte of 0 or 1 each. */
    public static TypedBuffer of(boolean[] values, int... shape) {
        TypedBuffer tensor = sized(ElementType.BOOL, values.length, shape);
        ByteBuffer bytes = tensor.bytes();
        for (boolean value : values) {
            bytes.put((byte) (value ? 1 : 0));
        }
        return tensor;
    }

    private static TypedBuffer sized(ElementType type, int elements, int[] shape) {
        if (sizeOf(type, shape) != (long) elements * type.bytes()) {
            throw new IllegalArgumentException(Arrays.toString(shape) + " does not hold " + elements + " elements");
        }
        return zeros(type, shape);
    }

    private static long sizeOf(ElementType type, int[] shape) {
        long bytes = type.bytes();
        for (int dimension : shape) {
            if (dimension < 1) {
                throw new IllegalArgumentException("dimensions are at least 1: " + Arrays.toString(shape));
            }
            bytes = Math.multiplyExact(bytes, dimension);
        }
        return bytes;
    }

    /** Type of the elements. */
    public ElementType type() {
        return type;
    }

    /** The dimensions, in a new array. */
    public int[] shape() {
        return shape.clone();
    }

    /** Size in bytes, at least 1. */
    public int byteSize() {
        return bytes.capacity();
    }

    /** A view of all elements in the machine's byte order, position 0. */
    public ByteBuffer bytes() {
        return bytes.duplicate().clear().order(ByteOrder.nativeOrder());
    }

    @Override
    public String toString() {
        return type + Arrays.toString(shape);
    }
}
