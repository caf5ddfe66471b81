/** The native shim: batches of file transfers in one call, and memory for arenas. Knows nothing of the storage interfaces. */
package io.nixlkv.nativeio;
