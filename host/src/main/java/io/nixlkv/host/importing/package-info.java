/** Brings the objects of a directory into a store, under the names of the store's layout. */
package io.nixlkv.host.importing;
