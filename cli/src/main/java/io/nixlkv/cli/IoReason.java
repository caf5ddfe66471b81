package io.nixlkv.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;

/** What a file's failure is for people, and what to do about it. */
final class IoReason {
    private IoReason() {}

    /** Such as {@code no space left on device; make room or choose another place}. */
    static String of(IOException failed) {
        if (failed instanceof AccessDeniedException) {
            return "this user may not; change its permissions";
        }
        if (failed instanceof NoSuchFileException absent) {
            return "there is no " + absent.getFile();
        }
        String reason = failed instanceof FileSystemException file ? file.getReason() : failed.getMessage();
        if (reason == null || reason.isBlank()) {
            return failed.toString();
        }
        String lower = reason.toLowerCase(Locale.ROOT);
        boolean full = lower.contains("no space left") || lower.contains("quota");
        return full ? lower + "; make room or choose another place" : reason;
    }
}
