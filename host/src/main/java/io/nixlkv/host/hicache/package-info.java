/**
 * SGLang's view over a store: {@link io.nixlkv.host.hicache.HiCacheView#over} opens it, a {@link
 * io.nixlkv.host.hicache.HostRegistration} holds a pool, a {@link io.nixlkv.host.hicache.StorageRegistration} the objects of one
 * transfer.
 */
package io.nixlkv.host.hicache;
