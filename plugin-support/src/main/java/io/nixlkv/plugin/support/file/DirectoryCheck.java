package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Whether directories can serve a file backend, found out without changing anything. Thread-safe. */
public final class DirectoryCheck {
    private static final long LIMIT_MILLIS = 800;

    private DirectoryCheck() {}

    /**
     * Why a backend cannot be opened.
     *
     * @param sentence with path and reason
     * @param mistake whether the configuration is wrong, and not the state of the file system
     */
    public record Problem(String sentence, boolean mistake) {}

    /**
     * Why one of {@code directories} cannot be used, as a sentence with path and reason; empty when all can. Answers within a
     * second, also when a mount hangs. One that is there and can only be read is no problem: it is opened for reading.
     */
    public static Optional<String> problem(List<Path> directories) {
        return found(directories).map(Problem::sentence);
    }

    /** The same, and whose fault it is. */
    public static Optional<Problem> found(List<Path> directories) {
        CompletableFuture<Optional<Problem>> answer = new CompletableFuture<>();
        Thread checker = new Thread(
                () -> {
                    try {
                        answer.complete(directories.stream()
                                .map(DirectoryCheck::problem)
                                .flatMap(Optional::stream)
                                .findFirst());
                    } catch (RuntimeException failed) {
                        answer.completeExceptionally(failed);
                    }
                },
                "nixlkv-directory-check");
        checker.setDaemon(true);
        checker.start();
        try {
            return answer.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException hanging) {
            return failed("the file system of " + directories + " does not answer within " + LIMIT_MILLIS
                    + " ms; check the mount");
        } catch (ExecutionException failed) {
            return failed("cannot examine " + directories + ": " + failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return failed("interrupted while examining " + directories);
        }
    }

    private static Optional<Problem> failed(String sentence) {
        return Optional.of(new Problem(sentence, false));
    }

    private static Optional<Problem> problem(Path directory) {
        Path path = directory.toAbsolutePath().normalize();
        Path existing = nearestExisting(path);
        Optional<Problem> lost = lost(existing);
        if (lost.isPresent()) {
            return lost;
        }
        String subject = existing.equals(path) ? path.toString() : path + " cannot be created: " + existing;
        if (!Files.isDirectory(existing)) {
            String kind = Files.isSymbolicLink(existing) ? "a symbolic link to nowhere" : "a file";
            return Optional.of(
                    new Problem(subject + " is " + kind + ", not a directory; set file_path to a directory", true));
        }
        boolean there = existing.equals(path);
        try {
            if (there) {
                requireReadable(existing);
            } else {
                requireWritable(existing);
            }
        } catch (IOException refused) {
            String not = there ? " is not readable for user " : " is not writable for user ";
            return failed(FileFailure.of(refused).sentence(subject + not + System.getProperty("user.name")));
        }
        return Optional.empty();
    }

    /** @throws IOException if this user may not list and look up what is in {@code directory} */
    static void requireReadable(Path directory) throws IOException {
        directory.getFileSystem().provider().checkAccess(directory, AccessMode.READ, AccessMode.EXECUTE);
    }

    /** @throws IOException if nothing can be made in {@code directory} */
    static void requireWritable(Path directory) throws IOException {
        // unlike Files.isWritable it says why, and unlike FileStore.isReadOnly it is right about bind mounts
        directory.getFileSystem().provider().checkAccess(directory, AccessMode.WRITE, AccessMode.EXECUTE);
    }

    /** Why what has that name cannot even be looked at, such as a mount whose server is gone. */
    private static Optional<Problem> lost(Path existing) {
        try {
            Files.readAttributes(existing, BasicFileAttributes.class);
            return Optional.empty();
        } catch (NoSuchFileException nowhere) {
            return Optional.empty(); // a link that leads nowhere has a sentence of its own
        } catch (IOException unreachable) {
            return failed(FileFailure.of(unreachable).sentence(existing + " cannot be looked at"));
        }
    }

    /** {@code path} itself or the closest parent of it that is not known to be absent, links that lead nowhere included. */
    static Path nearestExisting(Path path) {
        Path at = path.toAbsolutePath().normalize();
        while (at.getParent() != null && isAbsent(at)) {
            at = at.getParent();
        }
        return at;
    }

    /** Not there, or below something that is no directory. */
    private static boolean isAbsent(Path path) {
        Path parent = path.getParent();
        return Files.notExists(path, LinkOption.NOFOLLOW_LINKS) || Files.isRegularFile(parent);
    }
}
