/**
 * Puts that go on behind their caller's back: {@code async_put = true}. One layer among those that {@code StoreLayers} puts together.
 */
package io.nixlkv.host.async;
