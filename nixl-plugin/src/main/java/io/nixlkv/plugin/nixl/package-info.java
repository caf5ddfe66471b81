/** Strategies for native NIXL plugins that no jar describes. */
package io.nixlkv.plugin.nixl;
