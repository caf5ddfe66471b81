package io.nixlkv.plugin.support.file;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Permissions of what is created, before the umask. Immutable.
 *
 * @param file bits of files; never executable
 * @param directory bits of directories
 */
public record FileModes(int file, int directory) {
    private static final Pattern OCTAL = Pattern.compile("0?[0-7]{3}");
    private static final int OWNER_ALL = 0700;
    private static final int OWNER_READ_WRITE = 0600;
    private static final int EXECUTE = 0111;
    private static final int OWNER_READ = 0400;

    /** @throws IllegalArgumentException if {@link #problem} finds one */
    public static FileModes of(String file, String directory) {
        problem(file, directory).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        return new FileModes(Integer.parseInt(file, 8), Integer.parseInt(directory, 8));
    }

    /** What is wrong with two octal texts such as {@code 0644} and {@code 0750}, as a sentence; empty when they are right. */
    public static Optional<String> problem(String file, String directory) {
        if (!OCTAL.matcher(file).matches()) {
            return Optional.of("file_mode must be three octal digits such as 0644, not \"" + file + "\"");
        }
        if (!OCTAL.matcher(directory).matches()) {
            return Optional.of("dir_mode must be three octal digits such as 0750, not \"" + directory + "\"");
        }
        int files = Integer.parseInt(file, 8);
        if ((files & EXECUTE) != 0) {
            return Optional.of("file_mode " + file + " would make cache files executable; use 0644, 0640 or 0600");
        }
        if ((files & OWNER_READ_WRITE) != OWNER_READ_WRITE) {
            return Optional.of("file_mode " + file + " would lock out the owner; its first digit must be 6");
        }
        if ((Integer.parseInt(directory, 8) & OWNER_ALL) != OWNER_ALL) {
            return Optional.of("dir_mode " + directory + " would lock out the owner; its first digit must be 7");
        }
        return Optional.empty();
    }

    FileAttribute<Set<PosixFilePermission>> ofFiles() {
        return attribute(file);
    }

    FileAttribute<Set<PosixFilePermission>> ofDirectories() {
        return attribute(directory);
    }

    private static FileAttribute<Set<PosixFilePermission>> attribute(int bits) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        // the enum lists owner, group and others, each as read, write, execute: the order of the octal bits
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((bits & OWNER_READ >> permission.ordinal()) != 0) {
                permissions.add(permission);
            }
        }
        return PosixFilePermissions.asFileAttribute(permissions);
    }
}
