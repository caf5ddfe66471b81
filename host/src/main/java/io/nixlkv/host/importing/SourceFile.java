package io.nixlkv.host.importing;

import java.nio.file.Path;

/**
 * One file of a source.
 *
 * @param path where it is
 * @param name its name below the source directory, parts separated by {@code /}
 * @param length bytes, more than 0
 */
record SourceFile(Path path, String name, long length) {}
