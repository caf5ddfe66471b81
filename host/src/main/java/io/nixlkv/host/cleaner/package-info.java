/** Makes room in file stores: what fills up, which objects go, who deletes them, and what came of it. */
package io.nixlkv.host.cleaner;
