package io.nixlkv.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Parameter.Type;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrategyInfoTest {
    private static StrategyInfo named(String name, String... aliases) {
        return new StrategyInfo(name, Set.of(aliases), "A strategy.", 0, List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POSIX", "GDS_MT", "3FS", "AZURE_BLOB", "X"})
    void goodNames(String name) {
        assertEquals(name, named(name).name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "posix", "_X", "A-B", "A B", "A.B", "Ä"})
    void badNames(String name) {
        assertThrows(IllegalArgumentException.class, () -> named(name));
    }

    @Test
    void namesAreComparedWithoutCaseAndWithDashesAsUnderscores() {
        StrategyInfo info = named("GDS_MT", "gds-threads");
        for (String text : List.of("GDS_MT", "gds_mt", "Gds-Mt", "GDS_THREADS", "gds-threads")) {
            assertTrue(info.answersTo(text), text);
        }
        assertFalse(info.answersTo("GDS"));
        assertFalse(info.answersTo("GDSMT"));
    }

    @Test
    void parametersAreFoundByNameAndAlias() {
        Parameter bucket =
                Parameter.of("bucket", Type.STRING).aliases("bucket_name").meaning("A bucket.");
        StrategyInfo info = new StrategyInfo("OBJ", Set.of(), "Objects.", 1, List.of(bucket));
        assertEquals(bucket, info.parameter("bucket").orElseThrow());
        assertEquals(bucket, info.parameter("bucket_name").orElseThrow());
        assertTrue(info.parameter("region").isEmpty());
    }

    @Test
    void aParameterIsDeclaredOnce() {
        Parameter one = Parameter.of("k", Type.STRING).meaning("K.");
        assertThrows(IllegalArgumentException.class, () -> new StrategyInfo("X", Set.of(), "X.", 0, List.of(one, one)));
    }
}
