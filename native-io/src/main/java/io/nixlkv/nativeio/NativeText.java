package io.nixlkv.nativeio;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Texts on their way to and from native code: UTF-8, each with a NUL after it. Its memory is valid until it is closed; a text that
 * is read after the call needs no closing. Not thread-safe.
 */
final class NativeText implements AutoCloseable {
    private final ByteBuffer buffer;

    private NativeText(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    /** One text. */
    static NativeText of(String text) {
        return list(List.of(text));
    }

    /** Texts one after the other, with an empty one at the end. */
    static NativeText list(List<String> texts) {
        int bytes = 1;
        for (String text : texts) {
            bytes += text.getBytes(StandardCharsets.UTF_8).length + 1;
        }
        ByteBuffer buffer = DirectBuffers.allocate(bytes);
        texts.forEach(text -> buffer.put(text.getBytes(StandardCharsets.UTF_8)).put((byte) 0));
        buffer.put((byte) 0);
        return new NativeText(buffer);
    }

    /** Room for an answer. */
    static NativeText room(int bytes) {
        return new NativeText(DirectBuffers.allocate(bytes));
    }

    long address() {
        return DirectBuffers.address(buffer);
    }

    int capacity() {
        return buffer.capacity();
    }

    /** What native code put here. */
    String read() {
        int end = 0;
        while (buffer.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end];
        buffer.get(0, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Until here the garbage collector leaves the memory alone. */
    @Override
    public void close() {
        Reference.reachabilityFence(buffer);
    }
}
