package io.nixlkv.nativeio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Brings the library from the class path into the process, with JavaCPP's own beside it. The files are put into a fresh directory that only this user can read
 * and are removed as soon as they are loaded: nobody can plant another one, and nothing is left behind.
 */
final class NativeLibrary {
    private static final String PLATFORM = "linux-x86_64";
    private static final String FILE = "libjniNixlkv.so";

    private static final String JAVACPP_CACHE = "org.bytedeco.javacpp.cachedir";

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
            try {
                loadFrom(folder, library);
            } finally {
                remove(folder);
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

    private static void loadFrom(Path folder, InputStream library) throws IOException {
        Path file = folder.resolve(FILE);
        Files.copy(library, file);
        // loading makes JavaCPP unpack its own library, by default into a cache in the home directory
        boolean unset = System.getProperty(JAVACPP_CACHE) == null;
        if (unset) {
            System.setProperty(JAVACPP_CACHE, folder.toString());
        }
        try {
            System.load(file.toString());
        } finally {
            if (unset) {
                System.clearProperty(JAVACPP_CACHE);
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        List<Path> left;
        try (Stream<Path> files = Files.walk(folder)) {
            left = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : left) {
            Files.deleteIfExists(path);
        }
    }
}
