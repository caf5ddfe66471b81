/** Transfer memory from native code. */
package io.nixlkv.plugin.support.arena;
