package io.nixlkv.spi;

/**
 * What a strategy gets when it is opened.
 *
 * @param engine name of the engine to open, one of the strategy's usable offers
 * @param config its validated parameters
 * @param arena the memory of all transfers; outlives the backend
 * @param lanes how many lanes the host will hold open at once, at most
 */
public record OpenContext(String engine, StrategyConfig config, MemoryArena arena, int lanes) {}
