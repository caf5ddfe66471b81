package io.nixlkv.host.pool;

/**
 * How full a pool is, all in slots.
 *
 * @param used slots that are not free: with objects, being written, or let go but still read; 0 to {@code total}
 * @param total usable slots
 * @param evicted objects that had to make room since it was opened
 * @param damaged records that opening found torn, or without the files of their slots, and dropped
 * @param recovered objects that opening found
 */
public record SlotUse(int used, int total, long evicted, long damaged, long recovered) {}
