/** The {@code nixlkv} command: one class per subcommand, and what they share. */
package io.nixlkv.cli;
