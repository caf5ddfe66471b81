package io.nixlkv.api.hicache;

/**
 * What a clear did.
 *
 * @param deleted objects that it deleted
 * @param failed objects that it could not delete, or of which it does not know
 * @param complete whether it saw the whole store in its time; objects written meanwhile may remain either way
 * @param reason why the first object failed or the listing did not end; empty when there is nothing to explain
 */
public record ClearResult(long deleted, long failed, boolean complete, String reason) {}
