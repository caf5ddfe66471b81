package io.nixlkv.host.layout;

/** Which of several directories or endpoints holds an object. Immutable and thread-safe; an answer never changes. */
@FunctionalInterface
public interface Routing {
    /**
     * @param name holds the physical name, UTF-8, from {@code from} to {@code to - 1}
     * @param roots at least 1
     * @return below {@code roots}
     */
    int root(byte[] name, int from, int to, int roots);
}
