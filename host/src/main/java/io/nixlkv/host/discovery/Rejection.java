package io.nixlkv.host.discovery;

/**
 * Why a jar, or one class of it, gives no strategy.
 *
 * @param source file name of the jar, {@link PluginCatalog#CLASS_PATH}, or the plugins folder itself
 * @param reason one line a person can act on: what is wrong and what to do
 */
public record Rejection(String source, String reason) {}
