/**
 * Stores: calls are cut into tiles, tiles run on workers that own a lane each, and every object gets its result by the call's
 * deadline, whatever the storage does.
 */
package io.nixlkv.host.store;
