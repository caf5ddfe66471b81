/** Native NIXL as an engine of any strategy: finding it, its plugins, and the lanes that keep the contract over it. */
package io.nixlkv.plugin.support.nixl;
