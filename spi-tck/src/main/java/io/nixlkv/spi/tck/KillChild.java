package io.nixlkv.spi.tck;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The parent's end of one child process. Used by one thread. */
final class KillChild implements AutoCloseable {
    private final KillScript script;
    private final Process process;
    private final Path errors;
    private final BufferedReader lines;
    private final int[] acknowledged = new int[KillScript.WRITERS];

    /** Starts a child, which opens the store and waits. */
    KillChild(ContractStore store, KillScript script, Path errors) throws IOException {
        this.script = script;
        this.errors = errors;
        Arrays.fill(acknowledged, -1);
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KillChildMain.class.getName(),
                store.setup().getClass().getName(),
                store.location().toString(),
                Long.toString(script.seed()),
                Integer.toString(script.round()));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        lines = process.inputReader(StandardCharsets.US_ASCII);
    }

    KillScript script() {
        return script;
    }

    /** Lets the child write, and kills it at the moment that the script says. */
    void runAndKill() throws IOException, InterruptedException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        for (int steps = 0; steps < script.killAfterSteps(); steps++) {
            note(readOrFail());
        }
        LockSupport.parkNanos(script.killAfterNanos());
        kill();
        // What the child acknowledged before it died is still in the pipe.
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            note(line);
        }
    }

    /** The last step that a writer acknowledged; -1 before the first. */
    int acknowledged(int writer) {
        return acknowledged[writer];
    }

    @Override
    public void close() throws IOException {
        process.toHandle().destroyForcibly();
        process.getOutputStream().close();
        lines.close();
    }

    private void kill() throws IOException, InterruptedException {
        boolean early = !process.isAlive();
        // Through the handle: Process.destroyForcibly would close the pipe with the acknowledgements.
        process.toHandle().destroyForcibly();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("child " + process.pid() + " survives SIGKILL for a minute");
        }
        if (early) {
            throw failed();
        }
    }

    private String readOrFail() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw failed();
        }
        return line;
    }

    private void note(String line) {
        String[] words = line.split(" ");
        acknowledged[Integer.parseInt(words[0])] = Integer.parseInt(words[1]);
    }

    private AssertionError failed() throws IOException {
        return new AssertionError("round " + script.round() + ", seed " + script.seed()
                + ": the child ended before it was killed:\n" + Files.readString(errors));
    }
}
