/**
 * The southbound contract: what a storage plugin implements, and the words that plugin and host share.
 *
 * <p>Incubating: the types may still change until FILE, OBJ and native NIXL strategies all stand on them. {@link
 * io.nixlkv.spi.SpiVersion} names the version a plugin states in its manifest.
 *
 * <p>Times are {@link java.lang.System#nanoTime()} values or milliseconds since the epoch, as each method says; sizes are
 * bytes.
 */
package io.nixlkv.spi;
