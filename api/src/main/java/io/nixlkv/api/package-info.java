/**
 * The northbound side: what an application calls. Open a {@link io.nixlkv.api.KvStore} through the host room, lease memory from
 * its {@link io.nixlkv.api.KvArena}, and store, load, look up and delete objects in batches with a result for every object.
 *
 * <p>Times are {@link java.time.Duration}s or milliseconds since the epoch; sizes are bytes.
 */
package io.nixlkv.api;
