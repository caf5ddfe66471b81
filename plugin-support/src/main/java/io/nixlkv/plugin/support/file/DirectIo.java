package io.nixlkv.plugin.support.file;

import com.sun.nio.file.ExtendedOpenOption;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Whether transfers under one root can bypass the page cache.
 *
 * @param block bytes to which address, position and length must be aligned; 0 if they cannot
 * @param reason for people
 */
record DirectIo(int block, String reason) {
    private static final Set<OpenOption> PROBE =
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, ExtendedOpenOption.DIRECT);

    static DirectIo notConfigured() {
        return new DirectIo(0, "off: use_direct_io is false");
    }

    /** Finds out with a real aligned write in {@code folder}, since some file systems refuse only then. */
    static DirectIo tried(Path folder) throws IOException {
        int block = FileSettings.blockSize(folder);
        if (block < 2) {
            return new DirectIo(0, "refused: the file system tells no usable block size");
        }
        Path file = folder.resolve("direct-probe");
        try (FileChannel channel = FileChannel.open(file, PROBE)) {
            ByteBuffer data = ByteBuffer.allocateDirect(2 * block).alignedSlice(block);
            channel.write(data.slice(0, block), 0);
            return new DirectIo(block, "on, blocks of " + block + " bytes");
        } catch (IOException | UnsupportedOperationException refused) {
            FileFailure failure = FileFailure.of(refused);
            if (failure.status() == Status.NO_SPACE) {
                return new DirectIo(block, "on, blocks of " + block + " bytes; not tried, the file system is full");
            }
            return new DirectIo(0, "refused by the file system: " + failure.reason());
        } finally {
            Files.deleteIfExists(file);
        }
    }

    boolean usable() {
        return block > 0;
    }

    /** Whether memory at {@code address} can go directly to or from {@code position}. */
    boolean fits(long address, long length, long position) {
        return block > 0 && (address % block | length % block | position % block) == 0;
    }

    /** Whether all of {@code slice} can go directly to or from {@code position}. */
    boolean fits(ByteBuffer slice, long position) {
        return block > 0
                && slice.capacity() % block == 0
                && position % block == 0
                && slice.alignmentOffset(0, block) == 0;
    }
}
