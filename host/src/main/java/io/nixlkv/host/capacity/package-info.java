/** How many bytes a store holds, a limit on them, and what makes room. */
package io.nixlkv.host.capacity;
