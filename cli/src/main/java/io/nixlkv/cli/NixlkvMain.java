package io.nixlkv.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Entry of the {@code nixlkv} command. */
public final class NixlkvMain {
    private NixlkvMain() {}

    /** Runs the command line and exits with its code. */
    public static void main(String[] args) {
        PrintStream out = utf8(FileDescriptor.out, false);
        PrintStream err = utf8(FileDescriptor.err, true);
        int code = run(
                args,
                new Surroundings(
                        System.in,
                        out,
                        err,
                        System.getenv(),
                        PluginsFolder.ofThisProcess(),
                        Boolean.getBoolean("nixlkv.terminal")));
        System.exit(code);
    }

    /** Runs one command line in this process; nothing but its messages and its result is left behind. */
    static int run(String[] args, Surroundings around) {
        OneLineLog.prepare(args);
        int code = CommandTree.of(args, around).execute(args);
        around.err().flush();
        around.out().flush();
        if (around.out().checkError() && code == ExitCode.OK) {
            around.err().println("nixlkv: the result could not be written to standard output");
            return ExitCode.FAILED;
        }
        return code;
    }

    private static PrintStream utf8(FileDescriptor descriptor, boolean flush) {
        return new PrintStream(
                new BufferedOutputStream(new FileOutputStream(descriptor), 1 << 13), flush, StandardCharsets.UTF_8);
    }
}
