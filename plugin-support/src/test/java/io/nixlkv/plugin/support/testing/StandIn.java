package io.nixlkv.plugin.support.testing;

import io.nixlkv.nativeio.CudaLibrary;
import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NixlSearch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A folder with a stand-in for NIXL and one for CUDA's driver, built with gcc from {@code plugin-support/src/test/native}. */
public record StandIn(Path folder) {
    private static final List<String> PLUGINS = List.of("GDS", "GDS_MT", "HF3FS", "DOCA_MEMOS", "OBJ");
    private static final Path SOURCE = Path.of("../plugin-support/src/test/native/nixl_standin.c");
    private static final Path CUDA_SOURCE = Path.of("../plugin-support/src/test/native/cuda_standin.c");

    /** Why there cannot be one; empty if there can. */
    public static Optional<String> lacking() {
        return NativeIo.unavailableReason()
                .or(() -> Files.isRegularFile(SOURCE) ? Optional.empty() : Optional.of(SOURCE + " is not there"));
    }

    /** The one of this name, built unless it is there; several processes may ask at once. */
    public static StandIn named(String name, String... hazards) {
        try {
            Path folder = Path.of("target", "nixl-" + name).toAbsolutePath();
            if (!Files.isDirectory(folder)) {
                Path half = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "nixl-half-")
                        .toAbsolutePath();
                build(half, hazards);
                try {
                    Files.move(half, folder, StandardCopyOption.ATOMIC_MOVE);
                } catch (AtomicMoveNotSupportedException unusable) {
                    throw unusable;
                } catch (FileSystemException another) {
                    // another process was faster; its folder is the same
                    if (!Files.isDirectory(folder)) {
                        throw another;
                    }
                }
            }
            return new StandIn(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void build(Path folder, String... hazards) throws IOException {
        compile(SOURCE, folder.resolve("libnixl_capi.so"));
        compile(CUDA_SOURCE, folder.resolve(CudaLibrary.NAME));
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        for (String plugin : PLUGINS) {
            // what is loaded to see whether it can be
            Files.copy(folder.resolve("libnixl_capi.so"), plugins.resolve("libplugin_" + plugin + ".so"));
        }
        Files.createDirectory(folder.resolve("pkgconfig"));
        Files.writeString(folder.resolve("pkgconfig/nixl.pc"), "Name: nixl\nVersion: 1.5.1\n");
        Files.writeString(folder.resolve("hazards"), String.join("\n", hazards) + "\n");
    }

    private static void compile(Path source, Path library) throws IOException {
        Process gcc = new ProcessBuilder("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString())
                .inheritIO()
                .start();
        try {
            if (!gcc.waitFor(60, TimeUnit.SECONDS) || gcc.exitValue() != 0) {
                throw new IOException("gcc cannot build " + source);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** Lets this process use it, for memory of a GPU too. */
    public StandIn use() {
        System.setProperty(NixlSearch.PROPERTY, folder.toString());
        System.setProperty(
                CudaLibrary.PROPERTY, folder.resolve(CudaLibrary.NAME).toString());
        return this;
    }
}
