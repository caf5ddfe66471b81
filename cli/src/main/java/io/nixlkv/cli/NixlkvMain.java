package io.nixlkv.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Entry of the {@code nixlkv} command. */
public final class NixlkvMain {
    private NixlkvMain() {}

    /** Runs the command line and exits with its code. */
    public static void main(String[] args) {
        PrintStream out =
                utf8(new PipedOutput(new FileOutputStream(FileDescriptor.out), Path.of("/proc/self/fd/1")), false);
        PrintStream err = utf8(new FileOutputStream(FileDescriptor.err), true);
        boolean traces = OneLineLog.verbosity(args) > 1;
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            err.println("nixlkv: thread " + thread.getName() + " ended: " + failure + "; repeat with -vv to see where");
            if (traces) {
                failure.printStackTrace(err);
            }
        });
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
        int code;
        try {
            code = CommandTree.of(args, around).execute(args);
        } catch (RuntimeException | Error failure) { // picocli hands on exceptions only
            code = new Complaints(args, around).unexpected(failure);
        }
        around.err().flush();
        around.out().flush();
        if (around.out().checkError() && code == ExitCode.OK) {
            around.err().println("nixlkv: the result could not be written to standard output");
            return ExitCode.FAILED;
        }
        return code;
    }

    private static PrintStream utf8(OutputStream target, boolean flush) {
        return new PrintStream(new BufferedOutputStream(target, 1 << 13), flush, StandardCharsets.UTF_8);
    }
}
