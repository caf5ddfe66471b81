/**
 * The configuration: read from the product's own TOML, environment variables and calls into one immutable model in which every
 * value knows where it comes from and whether it is secret.
 */
package io.nixlkv.host.config;
