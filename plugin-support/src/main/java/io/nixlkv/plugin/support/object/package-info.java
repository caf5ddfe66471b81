/**
 * The lane of object stores that are reached by blocking requests: names, bounded concurrency, deadlines and the fence. A strategy
 * adds an {@link io.nixlkv.plugin.support.object.ObjectStore} on its SDK.
 */
package io.nixlkv.plugin.support.object;
