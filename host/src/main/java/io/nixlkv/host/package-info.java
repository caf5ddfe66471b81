/**
 * The host: start a {@link io.nixlkv.host.KvHost} on a folder of plugin jars, open stores from configurations, close it when done.
 */
package io.nixlkv.host;
