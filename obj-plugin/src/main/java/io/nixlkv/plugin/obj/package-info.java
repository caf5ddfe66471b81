/** Strategy OBJ: KV-cache objects in a bucket of any S3-compatible store, through the AWS SDK. */
package io.nixlkv.plugin.obj;
