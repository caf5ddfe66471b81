/**
 * Recently used objects in the store's own memory, in front of the storage: {@code local_cpu = true}. One layer among those that
 * {@code StoreLayers} puts together.
 */
package io.nixlkv.host.local;
