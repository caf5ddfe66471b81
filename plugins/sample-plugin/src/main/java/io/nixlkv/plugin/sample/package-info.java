/** A complete storage plugin of three small classes: a strategy, its open backend, and the lane that serves batches. */
package io.nixlkv.plugin.sample;
