package io.nixlkv.plugin.azure;

import io.nixlkv.plugin.support.testing.OpenObjects;
import java.util.Map;

/** An open AZURE_BLOB backend, engine {@code sdk}. */
final class Blobs extends OpenObjects {
    Blobs(Map<String, String> config) {
        super(new AzureBlobStrategy(), AzureBlobStrategy.SDK, config);
    }
}
