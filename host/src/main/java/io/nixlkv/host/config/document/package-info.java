/** Configuration documents as they are written: TOML, JSON and YAML become one tree in which everything has its place. */
package io.nixlkv.host.config.document;
