package io.nixlkv.host.config;

/**
 * A line of the resolved configuration.
 *
 * @param key dotted
 * @param text secrets masked; empty if there is no value
 * @param origin {@code file:line:column}, {@code $VARIABLE}, {@code call} or {@code default}
 */
public record ShownValue(String key, String text, String origin) {}
