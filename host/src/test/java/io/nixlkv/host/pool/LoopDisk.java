package io.nixlkv.host.pool;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.Mounts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small ext4 in a file, mounted, that writes its journal every five minutes if not told to. Needs root. */
public final class LoopDisk implements AutoCloseable {
    private final Path image;
    private final Path folder;

    private LoopDisk(Path image) throws IOException {
        this.image = image;
        folder = Files.createTempDirectory(image.getParent(), "disk");
        assumeTrue(
                Mounts.succeeds(List.of("mount", "-o", "loop,commit=300", image.toString(), folder.toString())),
                "mounting needs root");
    }

    /** A new one below {@code work}. */
    public static LoopDisk make(Path work) throws IOException {
        Path image = work.resolve("disk.img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(24 << 20);
        }
        assumeTrue(Mounts.succeeds(List.of("mkfs.ext4", "-q", "-F", image.toString())), "needs mkfs.ext4");
        return new LoopDisk(image);
    }

    public Path folder() {
        return folder;
    }

    /** What a power cut would leave now, started again. */
    public LoopDisk afterPowerCut() throws IOException {
        Path copy = Files.createTempFile(image.getParent(), "cut", ".img");
        Files.delete(copy);
        return new LoopDisk(Files.copy(image, copy));
    }

    /** From now on nothing reaches it. */
    public void fail() {
        Mounts.succeeds(List.of("mount", "-o", "remount,abort", folder.toString()));
    }

    @Override
    public void close() {
        // mapped pages keep it busy
        if (!Mounts.succeeds(List.of("umount", "-l", folder.toString()))) {
            throw new AssertionError(folder + " could not be unmounted");
        }
    }
}
