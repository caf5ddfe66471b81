package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.nixlkv.host.config.HostConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArenaNeedTest {
    private static long bytes(long count, long length) {
        return ArenaNeed.sized(HostConfig.defaults(Map.of()), count, length)
                .store()
                .arenaBytes();
    }

    @Test
    void everyByteOfTheTextSurvives() {
        assertEquals("1", ArenaNeed.gibText(1 << 30));
        assertEquals(1 << 20, bytes(1, 1));
        assertEquals((1 << 20) + 4096, bytes(1, (1 << 20) + 1));
        assertEquals(1 << 30, bytes(1, 1 << 30));
        assertEquals(4097 * 4096, bytes(4097, 4096));
    }

    @Test
    void objectsDoNotCrossSegments() {
        long big = (1L << 29) + 4096;
        assertEquals((1L << 30) + big, bytes(2, big));
    }
}
