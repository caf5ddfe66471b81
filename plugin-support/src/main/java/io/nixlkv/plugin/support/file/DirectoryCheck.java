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
     * Why one of {@code directories} cannot be used, as a sentence with path and reason; empty when all can. Answers within a
     * second, also when a mount hangs.
     */
    public static Optional<String> problem(List<Path> directories) {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
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
            return Optional.of("the file system of " + directories + " does not answer within " + LIMIT_MILLIS
                    + " ms; check the mount");
        } catch (ExecutionException failed) {
            return Optional.of("cannot examine " + directories + ": " + failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while examining " + directories);
        }
    }

    private static Optional<String> problem(Path directory) {
        Path path = directory.toAbsolutePath().normalize();
        Path existing = nearestExisting(path);
        Optional<String> lost = lost(existing);
        if (lost.isPresent()) {
            return lost;
        }
        String subject = existing.equals(path) ? path.toString() : path + " cannot be created: " + existing;
        if (!Files.isDirectory(existing)) {
            String kind = Files.isSymbolicLink(existing) ? "a symbolic link to nowhere" : "a file";
            return Optional.of(subject + " is " + kind + ", not a directory; set file_path to a directory");
        }
        try {
            // unlike Files.isWritable it says why, and unlike FileStore.isReadOnly it is right about bind mounts
            existing.getFileSystem().provider().checkAccess(existing, AccessMode.WRITE, AccessMode.EXECUTE);
        } catch (IOException refused) {
            FileFailure failure = FileFailure.of(refused);
            return Optional.of(
                    failure.sentence(subject + " is not writable for user " + System.getProperty("user.name")));
        }
        return Optional.empty();
    }

    /** Why what has that name cannot even be looked at, such as a mount whose server is gone. */
    private static Optional<String> lost(Path existing) {
        try {
            Files.readAttributes(existing, BasicFileAttributes.class);
            return Optional.empty();
        } catch (NoSuchFileException nowhere) {
            return Optional.empty(); // a link that leads nowhere has a sentence of its own
        } catch (IOException unreachable) {
            return Optional.of(FileFailure.of(unreachable).sentence(existing + " cannot be looked at"));
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
