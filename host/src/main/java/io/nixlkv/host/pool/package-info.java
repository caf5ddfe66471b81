/**
 * Which key is in which slot of a static pool: in memory, and in an index file that survives a killed process. Knows nothing of the
 * slots' bytes.
 */
package io.nixlkv.host.pool;
