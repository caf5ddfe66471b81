package io.nixlkv.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Output whose reader may have seen enough: what is written to a pipe after its reader is gone is dropped. Not thread-safe. */
final class PipedOutput extends OutputStream {
    private final OutputStream target;
    private final Path descriptor;
    private boolean unread;

    /** @param descriptor link that tells what {@code target} is, such as {@code /proc/self/fd/1} */
    PipedOutput(OutputStream target, Path descriptor) {
        this.target = target;
        this.descriptor = descriptor;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (unread) {
            return;
        }
        try {
            target.write(bytes, from, length);
        } catch (IOException failed) {
            if (!isPipe()
                    && !String.valueOf(failed.getMessage())
                            .toLowerCase(Locale.ROOT)
                            .contains("broken pipe")) {
                throw failed;
            }
            unread = true;
        }
    }

    /** Nothing else goes wrong with a pipe, and the message depends on the locale. */
    private boolean isPipe() {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    @Override
    public void flush() throws IOException {
        if (!unread) {
            target.flush();
        }
    }
}
