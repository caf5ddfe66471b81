package io.nixlkv.host.cleaner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process: says one line, then waits until its input ends or it is killed. */
final class CleanerChild implements AutoCloseable {
    private final Process process;

    CleanerChild(List<String> wrapper, String role, Path directory) throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CleanerChild.class.getName(),
                role,
                directory.toString()));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    String line() throws IOException {
        return process.inputReader(StandardCharsets.UTF_8).readLine();
    }

    long pid() {
        return process.pid();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "lead" -> {
                Cleaner cleaner = CleanerTest.cleaner(directory, deadline -> {}, Duration.ZERO);
                cleaner.start(key -> false, key -> {});
                while (!cleaner.describe().get("leader").equals("yes")) {
                    Thread.onSpinWait();
                }
                System.out.println("leads");
                System.in.read();
                cleaner.close();
            }
            case "pass" -> {
                CleaningReport report = Tree.clean(
                        List.of(directory),
                        Tree.settings("model = \"llama\""),
                        Tree.marks(80, 50, 1),
                        new CleaningWatch() {});
                System.out.println(report.outcome() + " deleted " + report.deleted() + " unreadable "
                        + report.unreadable() + " failed " + report.failed() + ": " + report.firstFailure());
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
