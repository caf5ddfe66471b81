package io.nixlkv.nativeio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Brings the library from the class path into the process. The file is put into a fresh directory that only this user can read
 * and is removed as soon as it is loaded: nobody can plant another one, and nothing is left behind.
 */
final class NativeLibrary {
    private static final String PLATFORM = "linux-x86_64";
    private static final String FILE = "libjniNixlkv.so";

    private NativeLibrary() {}

    /** Why it could not be loaded; empty when it is. */
    static Optional<String> load() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        if (!system.equals("linux") || !machine.equals("amd64")) {
            return Optional.of("the native library is made for " + PLATFORM + ", this is " + system + "-" + machine);
        }
        try (InputStream library = NativeLibrary.class.getResourceAsStream(PLATFORM + "/" + FILE)) {
            if (library == null) {
                return Optional.of(
                        "this build has no native library, because g++ was missing; install g++ and build again");
            }
            Path folder = Files.createTempDirectory("nixlkv-native-");
            Path file = folder.resolve(FILE);
            try {
                Files.copy(library, file);
                System.load(file.toString());
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
            return Optional.empty();
        } catch (IOException failed) {
            return Optional.of(
                    "the native library cannot be unpacked to java.io.tmpdir (" + System.getProperty("java.io.tmpdir")
                            + "): " + failed + "; set -Djava.io.tmpdir to a writable directory");
        } catch (UnsatisfiedLinkError | SecurityException refused) {
            return Optional.of("the native library cannot be loaded: " + refused.getMessage()
                    + "; java.io.tmpdir must not be mounted noexec, and glibc 2.34 or newer is needed");
        }
    }
}
