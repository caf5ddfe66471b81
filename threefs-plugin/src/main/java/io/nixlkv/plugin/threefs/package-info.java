/** Strategy 3FS: files on DeepSeek's 3FS. */
package io.nixlkv.plugin.threefs;
