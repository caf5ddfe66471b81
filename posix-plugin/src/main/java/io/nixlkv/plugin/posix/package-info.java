/** Strategy POSIX: KV-cache objects as ordinary files. */
package io.nixlkv.plugin.posix;
