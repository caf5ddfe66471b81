package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference page and the sample are what the code, with every plugin of the distribution, declares. */
class GeneratedFilesIT {
    private static final Path REFERENCE = Path.of("../docs/configuration.md");
    private static final Path SAMPLE = Path.of("../dist/src/main/conf/nixlkv.toml.sample");

    @Test
    void theReferenceIsWhatTheCodeDeclares() throws IOException {
        assertEquals(
                Files.readString(REFERENCE),
                Distribution.nixlkv("config", "reference").out());
    }

    @Test
    void theSampleIsWhatTheCodeDeclaresAndLoads() throws IOException {
        assertEquals(
                Files.readString(SAMPLE),
                Distribution.nixlkv("config", "sample").out());
        Distribution.Run check = Distribution.nixlkv("config", "check", SAMPLE.toString());
        assertEquals(0, check.exit(), check::toString);
        assertEquals("", check.err());
    }
}
