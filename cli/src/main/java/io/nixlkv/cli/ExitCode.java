package io.nixlkv.cli;

/** The command's exit codes. A command that SIGTERM ends exits with 143, after its stores are closed. */
final class ExitCode {
    /** Everything that was asked for is done. */
    static final int OK = 0;

    /** Work failed, wholly or in part. */
    static final int FAILED = 1;

    /** Wrong usage or configuration; nothing was done. */
    static final int USAGE = 2;

    private ExitCode() {}
}
