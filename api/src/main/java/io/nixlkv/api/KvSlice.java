package io.nixlkv.api;

/**
 * A piece of a store's arena.
 *
 * @param segment arena segment
 * @param offset first byte in the segment
 * @param length bytes; a slice never crosses its segment
 */
public record KvSlice(int segment, int offset, int length) {}
