package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NixlInstallation;
import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.nativeio.NixlSearch;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * Starts a native plugin in a child JVM, since its driver may hang, spin or crash: without a GPU some do for minutes. The verdict
 * on each plugin with its parameters is kept for the life of the process. Thread-safe.
 */
public final class NixlTrial {
    private static final Path GPU = Path.of("/dev/nvidiactl");
    private static final long LIMIT_SECONDS = 4;

    private record Subject(
            NixlInstallation installation, NixlSettings settings, Storage storage, Path directory, boolean direct) {}

    private static final class Holder {
        private static final ConcurrentMap<Subject, Optional<String>> VERDICTS = new ConcurrentHashMap<>();
    }

    private NixlTrial() {}

    /**
     * Why the plugin cannot be started, as a sentence a person can act on; empty when it can. Answers within five seconds.
     *
     * @param directory where a file is written, read and removed; {@code null} to start the plugin only
     * @param direct whether that file is opened for direct I/O
     */
    public static Optional<String> problem(NixlSettings settings, Storage storage, Path directory, boolean direct) {
        Optional<String> absent = NixlEngine.problem(settings.plugin());
        if (absent.isPresent()) {
            return absent;
        }
        return NixlSearch.run()
                .installation()
                .flatMap(found -> Holder.VERDICTS.computeIfAbsent(
                        new Subject(found, settings, storage, directory, direct), NixlTrial::judge));
    }

    private static Optional<String> judge(Subject subject) {
        Path file = subject.directory() == null
                ? null
                : subject.directory()
                        .resolve(".nixlkv-trial-" + ProcessHandle.current().pid() + "-"
                                + Long.toHexString(System.nanoTime()));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        try (NixlChildProcess child = new NixlChildProcess(List.of("start"), input(subject, file))) {
            String trouble = null;
            while (true) {
                String line = child.next(deadline - System.nanoTime());
                if (line == null) {
                    return Optional.of("NIXL's " + subject.settings().plugin() + " does not start within "
                            + LIMIT_SECONDS + " s and was killed; its driver or device is missing or hangs"
                            + evidence(subject));
                }
                if (line.equals(NixlChildProcess.DIED)) {
                    return Optional.of(
                            "NIXL's " + subject.settings().plugin() + " cannot be started: " + child.death());
                }
                if (line.startsWith("problem ")) {
                    trouble = line.substring("problem ".length());
                }
                if (line.equals("end")) {
                    return Optional.ofNullable(trouble).map(words -> words + evidence(subject));
                }
            }
        } catch (IOException failed) {
            return Optional.of(
                    "NIXL's " + subject.settings().plugin() + " cannot be tried: no child JVM starts: " + failed);
        } finally {
            if (file != null) {
                file.toFile().delete();
            }
        }
    }

    /** The GDS plugins wait for minutes where there is no GPU. */
    private static String evidence(Subject subject) {
        return subject.settings().plugin().startsWith("GDS") && !Files.exists(GPU)
                ? ": this machine has no NVIDIA GPU (" + GPU + " does not exist)"
                : "";
    }

    /** On stdin, since the parameters may hold secrets. */
    private static byte[] input(Subject subject, Path file) {
        Properties wanted = new Properties();
        wanted.setProperty(NixlChild.PLUGIN, subject.settings().plugin());
        wanted.setProperty(NixlChild.STORAGE, subject.storage().name());
        subject.settings().parameters().forEach((key, value) -> wanted.setProperty(NixlChild.PARAMETER + key, value));
        subject.settings().environment().forEach((key, value) -> wanted.setProperty(NixlChild.VARIABLE + key, value));
        if (file != null) {
            wanted.setProperty(NixlChild.FILE, file.toString());
            wanted.setProperty(NixlChild.DIRECT, Boolean.toString(subject.direct()));
        }
        StringWriter text = new StringWriter();
        try {
            wanted.store(text, null);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
