package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

/** Where the slots of a pool are under one root: one file, or a folder of files. */
sealed interface PoolPlace permits SlabPlace, SlotFolder {
    /** The file or folder, which is there as soon as all of it was made. */
    Path path();

    /** What the lock file has to say of it. */
    String described();

    /** Makes it, full of zeros, whole or not at all. */
    void make() throws IOException;

    /** What is wrong with what is there; empty if nothing is. */
    String problem() throws IOException;

    /**
     * Its files, by slot where each has its own.
     *
     * @param kept whether pure Java keeps them open, instead of native code
     */
    List<PoolFile> open(TransferCounters counters, boolean kept) throws IOException;

    void remove() throws IOException;

    /** Makes {@code file} with {@code bytes} zeros, on stable storage if it is to be {@code forced}. */
    static void fill(Path file, long bytes, FileRoot root, boolean forced) throws IOException {
        Set<OpenOption> made = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        int block = 4 << 20;
        try (FileChannel channel = FileChannel.open(file, made, root.fileMode())) {
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(block, bytes));
            for (long at = 0; at < bytes; ) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
                at += channel.write(zeros, at);
            }
            if (forced) {
                channel.force(false);
            }
        }
    }
}
