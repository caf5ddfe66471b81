package io.nixlkv.host.importing;

/**
 * A file that was not imported.
 *
 * @param file its path
 * @param reason why, and what to do
 */
public record ImportFailure(String file, String reason) {}
