/** Chooses the strategy and the engine that serve a store. It knows no plugin by name. */
package io.nixlkv.host.selection;
