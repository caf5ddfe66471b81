package io.nixlkv.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A whole program that measures itself and writes a JSON document in the form of {@code lmcache bench l2}: {@code metrics} with
 * one object for each operation, and in it {@code throughput_avg_mbps}, in MiB/s.
 */
final class BenchProgram {
    private static final JsonMapper JSON = new JsonMapper();
    /** The first run may have to build or install it. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private final Contender.Identity identity;
    private final Command command;

    /** @param identity for the report */
    BenchProgram(Contender.Identity identity, Command command) {
        this.identity = identity;
        this.command = command;
    }

    /** How it is started. */
    @FunctionalInterface
    interface Command {
        /** @param objects an empty folder for what it stores @param output the file that its document must be in */
        List<String> of(Path objects, Path output);
    }

    Contender.Identity identity() {
        return identity;
    }

    /**
     * Runs it once, in a folder that is removed again.
     *
     * @return what one round took, in nanoseconds, by its own average throughput
     * @throws ContenderException if it fails, or does not say how fast it was
     */
    Map<Operation, Long> run(Path directory, Workload round) {
        try (WorkFolder folder = WorkFolder.in(directory)) {
            Path objects = Files.createDirectory(folder.path().resolve("objects"));
            Path output = folder.path().resolve("out.json");
            Path errors = folder.path().resolve("errors.txt");
            Process process = new ProcessBuilder(command.of(objects, output))
                    .redirectOutput(folder.path().resolve("printed.txt").toFile())
                    .redirectError(errors.toFile())
                    .start();
            int exit = exitOf(process);
            if (exit != 0) {
                String said = Files.readString(errors).strip();
                throw new ContenderException(identity.name() + " ended with exit status " + exit
                        + (said.isEmpty() ? "" : ": " + said.substring(said.lastIndexOf('\n') + 1)));
            }
            Path printed = Files.exists(output) ? output : folder.path().resolve("printed.txt");
            return times(JSON.readTree(printed.toFile()), round);
        } catch (IOException e) {
            throw new ContenderException(identity.name() + ": " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw new ContenderException(identity.name() + ": " + e.getCause().getMessage(), e);
        }
    }

    private int exitOf(Process process) {
        try {
            if (process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        throw new ContenderException(identity.name() + " did not end within " + PATIENCE.toMinutes() + " min");
    }

    private Map<Operation, Long> times(JsonNode document, Workload round) {
        Map<Operation, Long> nanos = new EnumMap<>(Operation.class);
        for (JsonNode metric : document.path("metrics")) {
            for (Operation operation : Operation.values()) {
                double throughput = metric.path("throughput_avg_mbps").asDouble();
                if (metric.path("operation").asText().equalsIgnoreCase(operation.label()) && throughput > 0) {
                    requireAll(metric, operation);
                    nanos.put(operation, Math.round(round.batchBytes() / (double) (1 << 20) / throughput * 1e9));
                }
            }
        }
        if (nanos.size() < Operation.values().length) {
            throw new ContenderException(identity.name() + " does not say how fast it stored and loaded");
        }
        return nanos;
    }

    /** A throughput counts what failed too. */
    private void requireAll(JsonNode metric, Operation operation) {
        long done = metric.path("total_success").asLong();
        long wanted = metric.path("total_keys").asLong();
        if (done != wanted) {
            throw new ContenderException("%s: %s of %d of %d objects failed"
                    .formatted(identity.name(), operation.label(), wanted - done, wanted));
        }
    }
}
