package io.nixlkv.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The packed distribution, run as a user runs it: {@code bin/nixlkv} in a process of its own. */
final class Distribution {
    static final Path HOME = Path.of("../dist/target/nixlkv").toAbsolutePath().normalize();
    static final Path PLUGINS = HOME.resolve("plugins");

    private static final long LIMIT_SECONDS = 120;

    /** What a run left behind. */
    record Run(int exit, String out, String err) {
        @Override
        public String toString() {
            return "exit " + exit + "\n--- stdout\n" + out + "\n--- stderr\n" + err;
        }
    }

    private Distribution() {}

    static Run nixlkv(String... arguments) {
        return nixlkv(Map.of(), arguments);
    }

    static Run nixlkv(Map<String, String> environment, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(HOME.resolve("bin/nixlkv").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return run(builder);
    }

    static Run run(ProcessBuilder builder) {
        try {
            Process process = builder.redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            CompletableFuture<String> out = text(process.getInputStream());
            CompletableFuture<String> err = text(process.getErrorStream());
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(builder.command() + " still runs after " + LIMIT_SECONDS + " s");
            }
            return new Run(process.exitValue(), out.join(), err.join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** In a thread of its own: the pool that futures share has one thread on a machine with two CPUs. */
    static <T> CompletableFuture<T> onItsOwn(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task, "test").start());
    }

    private static CompletableFuture<String> text(InputStream stream) {
        return onItsOwn(() -> {
            try (stream) {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
