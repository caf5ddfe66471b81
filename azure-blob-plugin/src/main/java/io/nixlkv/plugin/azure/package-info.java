/** Strategy AZURE_BLOB: KV-cache objects as block blobs in a container of Azure Storage, through the Azure SDK. */
package io.nixlkv.plugin.azure;
