package io.nixlkv.it;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** An ext4 file system in a file, mounted. Needs root. */
final class LoopFs implements AutoCloseable {
    private final Path image;
    private final Path folder;

    private LoopFs(Path image, Path folder, String options) {
        this.image = image;
        this.folder = folder;
        HangingFs.assumed("mount", "-o", "loop" + options, image.toString(), folder.toString());
    }

    /** Makes one of {@code mebibytes} below {@code work}. */
    static LoopFs make(Path work, int mebibytes, String... options) throws IOException {
        Path image = work.resolve("ext4.img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength((long) mebibytes << 20);
        }
        String[] command = {"mkfs.ext4", "-q", "-F", image.toString()};
        HangingFs.assumed(command);
        return mount(image, Files.createDirectory(work.resolve("ext4")), options);
    }

    /** Mounts an image that is there. */
    static LoopFs mount(Path image, Path folder, String... options) {
        return new LoopFs(image, folder, options.length == 0 ? "" : "," + String.join(",", options));
    }

    Path image() {
        return image;
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        HangingFs.must("umount", "-l", folder.toString());
    }
}
