package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class IoReasonTest {
    @Test
    void noClassIsNamed() {
        assertEquals(
                "no space left on device; make room or choose another place",
                IoReason.of(new IOException("No space left on device")));
        assertEquals("this user may not; change its permissions", IoReason.of(new AccessDeniedException("/x")));
        assertEquals(
                "Too many levels of symbolic links",
                IoReason.of(new FileSystemException("/x", null, "Too many levels of symbolic links")));
    }
}
