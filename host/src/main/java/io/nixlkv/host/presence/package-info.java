/**
 * What is known to be stored, held as 128-bit digests of object names in primitive tables: a few tens of bytes a key, whatever the
 * length of its name.
 */
package io.nixlkv.host.presence;
