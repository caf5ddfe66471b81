package io.nixlkv.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a command sees of the process around it.
 *
 * @param in standard input
 * @param out standard output: results only
 * @param err standard error: messages
 * @param environment variables
 * @param plugins default plugins folder; may be absent
 * @param terminal whether standard error is a terminal
 */
record Surroundings(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Path plugins,
        boolean terminal) {}
