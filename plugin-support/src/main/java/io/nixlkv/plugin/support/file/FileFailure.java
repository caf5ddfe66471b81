package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.spi.Status;
import java.io.File;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * What an exception of the file system means.
 *
 * @param status how an item ends
 * @param errno Linux number, 0 if unknown
 * @param reason the system's words
 * @param advice what to do; may be empty
 */
record FileFailure(Status status, int errno, String reason, String advice) {
    private static final FileFailure OUTSIDE = new FileFailure(
            Status.DENIED,
            18,
            "a part of the name leads outside the directory or to another file system",
            "remove the symbolic link or mount");
    private static final String SPACE_ADVICE =
            "free space or inodes, or set max_capacity_gb to less than the file system has";

    static FileFailure of(Exception failure) {
        if (failure instanceof AccessDeniedException) {
            return new FileFailure(
                    Status.DENIED,
                    13,
                    "Permission denied",
                    "give user " + System.getProperty("user.name") + " access to the directory");
        }
        if (failure instanceof OutsideException) {
            return OUTSIDE;
        }
        if (failure instanceof UnmountedException lost) {
            return new FileFailure(Status.UNAVAILABLE, 0, lost.getMessage(), "mount it again");
        }
        if (failure instanceof NotDirectoryException file) {
            return new FileFailure(
                    Status.INVALID,
                    20,
                    file.getFile() + " is a file, not a directory",
                    "remove that file or use other names");
        }
        if (failure instanceof NoSuchFileException gone) {
            return new FileFailure(Status.FAILED, 2, gone.getFile() + " does not exist", "restore the directory");
        }
        if (failure instanceof FileAlreadyExistsException taken) {
            return new FileFailure(Status.FAILED, 17, taken.getFile() + " exists", "");
        }
        return byReason(reasonOf(failure));
    }

    /**
     * The same, where writing in {@code directory} failed: a full file system is recognised also when the system speaks another
     * language.
     */
    static FileFailure ofWriting(Exception failure, File directory) {
        FileFailure plain = of(failure);
        return plain.status() == Status.FAILED && plain.errno() == 0 && directory.getUsableSpace() == 0
                ? new FileFailure(Status.NO_SPACE, 28, plain.reason(), SPACE_ADVICE)
                : plain;
    }

    /** The same for an errno that native code brought. */
    static FileFailure ofErrno(int errno) {
        String reason = NativeIo.errorText(errno);
        FileFailure known = byReason(reason);
        return switch (errno) {
            case 13 -> of(new AccessDeniedException(""));
            case 18 -> OUTSIDE;
            case 22 -> new FileFailure(Status.INVALID, errno, reason, known.advice());
            default -> new FileFailure(known.status(), errno, reason, known.advice());
        };
    }

    /** The same failure under the status that native code gave it. */
    FileFailure as(Status other) {
        return new FileFailure(other, errno, reason, advice);
    }

    private static FileFailure byReason(String reason) {
        if (reason.contains("No space left")) {
            return new FileFailure(Status.NO_SPACE, 28, reason, SPACE_ADVICE);
        }
        if (reason.contains("quota exceeded")) {
            return new FileFailure(Status.NO_SPACE, 122, reason, "raise the quota or set max_capacity_gb below it");
        }
        if (reason.contains("Read-only file system")) {
            return new FileFailure(Status.DENIED, 30, reason, "remount it for writing or choose another directory");
        }
        if (reason.contains("Operation not permitted")) {
            return new FileFailure(Status.DENIED, 1, reason, "check owner and attributes of the directory");
        }
        if (reason.contains("Too many open files")) {
            return new FileFailure(Status.UNAVAILABLE, 24, reason, "raise the limit with ulimit -n");
        }
        if (reason.contains("File name too long")) {
            return new FileFailure(Status.INVALID, 36, reason, "use a shorter key or directory, or the long-name rule");
        }
        if (reason.contains("File too large")) {
            return new FileFailure(Status.FAILED, 27, reason, "raise the limit of a file's size (ulimit -f)");
        }
        // the second is Java's word for a direct transfer that goes on where a short one ended
        if (reason.contains("Invalid argument") || reason.contains("is not a multiple of the block size")) {
            return new FileFailure(Status.FAILED, 22, reason, "check the mount");
        }
        if (reason.contains("Is a directory")) {
            return new FileFailure(Status.FAILED, 21, reason, "remove the directory in the object's place");
        }
        if (reason.contains("Input/output error")) {
            return new FileFailure(Status.FAILED, 5, reason, "check the device and the kernel log");
        }
        if (reason.contains("endpoint is not connected")) {
            return new FileFailure(Status.FAILED, 107, reason, "the server of this mount is gone; mount it again");
        }
        return new FileFailure(Status.FAILED, 0, reason, "check the file system");
    }

    /** Whether the kernel refused the form of a request, as it does for direct I/O it cannot serve. */
    boolean refusedForm() {
        return errno == 22;
    }

    private static String reasonOf(Exception failure) {
        if (failure instanceof FileSystemException named && named.getReason() != null) {
            return named.getReason();
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    /** A sentence about {@code doing}, such as {@code cannot write "a" in /data}. */
    String sentence(String doing) {
        return doing + ": " + reason + (advice.isEmpty() ? "" : "; " + advice);
    }
}
