package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The distribution with its native library switched off: engine {@code nio} serves, and the others say why they do not. */
class WithoutNativesIT {
    private static final Map<String, String> OFF = Map.of("NIXLKV_NATIVE", "off");

    @Test
    void benchRunsOnNio() throws IOException {
        Distribution.Run run =
                Distribution.nixlkv(OFF, "bench", "--json", "--num-keys", "4", "--rounds", "1", "--warmup-rounds", "0");
        assertEquals(0, run.exit(), run::toString);
        String engine =
                new ObjectMapper().readTree(run.out()).findValue("engine").asText();
        assertEquals("nio", engine, run::toString);
    }

    @Test
    void pluginsSayWhyTheOthersAreAbsent() throws IOException {
        Distribution.Run run = Distribution.nixlkv(OFF, "plugins", "POSIX", "--json");
        assertEquals(0, run.exit(), run::toString);
        assertTrue(run.out().contains("native code is switched off by NIXLKV_NATIVE"), run::toString);
    }
}
