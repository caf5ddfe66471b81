/** Strategy DOCA_MEMOS: NVIDIA's key-value storage, by native NIXL. */
package io.nixlkv.plugin.docamemos;
