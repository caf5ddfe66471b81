/** Strategies GDS and GDS_MT: files through NVIDIA GPUDirect Storage, by native NIXL. */
package io.nixlkv.plugin.gds;
