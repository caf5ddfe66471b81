/** What {@code nixlkv bench} measures and how it is shown. */
package io.nixlkv.cli.bench;
