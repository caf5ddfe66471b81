package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PipedOutputTest {
    private int writes;

    private OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                writes++;
                throw new IOException(message);
            }
        };
    }

    private boolean fails(String message) {
        PrintStream out = new PrintStream(new PipedOutput(failing(message), Path.of("/nowhere")), true);
        out.println("one");
        out.println("two");
        return out.checkError();
    }

    @Test
    void readerWhoHasSeenEnoughIsNoFailure() {
        assertFalse(fails("Broken pipe"));
        assertEquals(1, writes, "nothing more is written");
        assertTrue(fails("No space left on device"));
    }
}
