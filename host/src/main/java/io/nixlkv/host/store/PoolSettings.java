package io.nixlkv.host.store;

import java.nio.file.Path;

/**
 * A static pool.
 *
 * @param slots usable slots, at least 1
 * @param slotBytes bytes of a slot
 * @param evicts whether a full pool drops its least recently used object, instead of refusing
 * @param stateDir directory of the index and the lock
 */
public record PoolSettings(int slots, int slotBytes, boolean evicts, Path stateDir) {}
