/** Layouts turn keys into the physical names of stored objects, and names back into keys. They do no I/O. */
package io.nixlkv.host.layout;
