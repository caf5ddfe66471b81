/**
 * SGLang's view of a store: the pages of its hierarchical cache, the pools they live in, and the objects each consists of.
 */
package io.nixlkv.api.hicache;
