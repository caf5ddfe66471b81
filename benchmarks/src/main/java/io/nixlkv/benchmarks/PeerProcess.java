package io.nixlkv.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A child process that is asked one line and answers one line, each within a deadline. What it prints as errors is kept in a
 * file, to explain a failure. Used by one thread.
 */
final class PeerProcess implements AutoCloseable {
    private static final Duration GOODBYE = Duration.ofSeconds(10);
    private static final int ERROR_CHARS = 500;

    private final String name;
    private final Process process;
    private final Path errors;
    private final Writer questions;
    private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

    /**
     * Starts it.
     *
     * @param name as on the command line
     * @param environment what it finds there besides what this process has
     * @param errors file for its standard error
     */
    PeerProcess(String name, List<String> command, Map<String, String> environment, Path errors) {
        this.name = name;
        this.errors = errors;
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new ContenderException(name + " could not be started: " + e.getMessage(), e);
        }
        questions = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::readAnswers, "answers of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    String name() {
        return name;
    }

    private void readAnswers() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(Optional.of(line));
            }
        } catch (IOException e) {
            answers.add(Optional.of("failed its answers cannot be read: " + e.getMessage()));
        }
        answers.add(Optional.empty());
    }

    /** Sends a command and waits for its answer. */
    PeerReply ask(String command, Duration patience) {
        try {
            questions.write(command + "\n");
            questions.flush();
        } catch (IOException e) {
            throw failure("ended before \"" + command + "\"", e);
        }
        return answer(command, patience);
    }

    /** Waits for the next answer. @param what what is waited for, for messages */
    PeerReply answer(String what, Duration patience) {
        Optional<String> line;
        try {
            line = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("was given up during \"" + what + "\": interrupted", e);
        }
        if (line == null) {
            throw failure("did not answer \"" + what + "\" within " + patience.toSeconds() + " s", null);
        }
        try {
            return PeerReply.parse(line.orElseThrow(() -> failure("ended during \"" + what + "\"", null)));
        } catch (IllegalArgumentException e) {
            throw failure(e.getMessage(), e);
        }
    }

    private ContenderException failure(String what, Throwable cause) {
        String said = lastErrors();
        return new ContenderException(name + " " + what + (said.isEmpty() ? "" : "; it said: " + said), cause);
    }

    /** The end of what it printed as errors, in one line. */
    String lastErrors() {
        try {
            String text = Files.readString(errors, StandardCharsets.ISO_8859_1).strip();
            String end = text.substring(Math.max(0, text.length() - ERROR_CHARS));
            return end.replaceAll("\\s+", " ");
        } catch (IOException e) {
            throw new UncheckedIOException("what " + name + " said cannot be read", e);
        }
    }

    /** Lets it end by itself for a while, then ends it. Idempotent. */
    @Override
    public void close() {
        try (questions) {
            questions.write("quit\n");
        } catch (IOException alreadyGone) {
            process.destroy();
        }
        try {
            if (!process.waitFor(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
