/** SGLang's view of a store: which objects a page of its hierarchical cache consists of. */
package io.nixlkv.api.hicache;
