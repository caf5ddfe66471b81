package io.nixlkv.plugin.threefs;

import io.nixlkv.nativeio.UsrbioLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;

/** A stand-in for 3FS's library, built with gcc from {@code src/test/native/usrbio_standin.c}, and mounts to go with it. */
final class UsrbioStandIn {
    private static final Path SOURCE = Path.of("src/test/native/usrbio_standin.c");

    private UsrbioStandIn() {}

    /** Lets this process use it; built unless it is there. */
    static void use() {
        try {
            Path library = Files.createDirectories(Path.of("target", "usrbio"))
                    .toAbsolutePath()
                    .resolve(UsrbioLibrary.NAME);
            if (!Files.exists(library)) {
                Path half = Files.createTempFile(library.getParent(), "half", ".so");
                Process gcc = new ProcessBuilder(
                                "gcc", "-shared", "-fPIC", "-O1", "-o", half.toString(), SOURCE.toString())
                        .inheritIO()
                        .start();
                if (!gcc.waitFor(60, TimeUnit.SECONDS) || gcc.exitValue() != 0) {
                    throw new IOException("gcc cannot build " + SOURCE);
                }
                Files.move(half, library, StandardCopyOption.ATOMIC_MOVE);
            }
            System.setProperty(UsrbioLibrary.PROPERTY, library.toString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Makes {@code directory} look like a mount of 3FS. */
    static void mount(Path directory, String... hazards) throws IOException {
        Path virtual =
                Files.createDirectories(directory.resolve("3fs-virt/iovs")).getParent();
        Files.writeString(virtual.resolve("hazards"), String.join("\n", hazards) + "\n");
    }
}
