package io.nixlkv.spi;

/** What an engine can do. Data, not methods: printed by the command, obeyed by the host, and the switch of every contract test. */
public enum Feature {
    /** {@link TransferBatch.Mode#CREATE}: never replaces an object. */
    CREATE,
    /** {@link TransferBatch.Mode#REPLACE}: old or new is seen, never a mixture. */
    REPLACE,
    /** {@link TransferBatch#durable()}: data and name are on stable storage before a write is done. */
    DURABLE,
    /** {@link TransferBatch.Op#STAGE}, {@code PUBLISH} and {@code DISCARD}: write now, make visible later. */
    STAGE,
    /** {@link TransferBatch.Op#DELETE}. */
    DELETE,
    /** {@link StorageBackend#list}. */
    LIST,
    /** Queries answer with the stored length. */
    STORED_LENGTH,
    /** A read of an object that is shorter than asked ends as {@link Status#WRONG_SIZE}. */
    DETECTS_SHORT,
    /** A read of an object that is longer than asked ends as {@link Status#WRONG_SIZE}. */
    DETECTS_LONG,
    /** Transfers can bypass the page cache. */
    DIRECT_IO,
    /** {@link StorageBackend#openPool}. */
    SLOTS,
    /** Pools of {@link PoolLayout#FILES}. */
    SLOT_FILES
}
