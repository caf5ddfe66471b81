/** What the layers in front of a store share: a store that passes everything on, and results of which a layer answers a part. */
package io.nixlkv.host.layer;
