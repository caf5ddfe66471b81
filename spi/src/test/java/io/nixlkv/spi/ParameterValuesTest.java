package io.nixlkv.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.ParameterValues.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParameterValuesTest {
    private final List<Parameter> declared = List.of(
            Parameter.of("path", Type.PATHS).meaning("Paths."),
            Parameter.of("use_uring", Type.BOOLEAN).meaning("A switch."),
            Parameter.of("size", Type.BYTES).defaultValue("1MiB").meaning("A size."),
            Parameter.of("count", Type.INTEGER).meaning("A count."),
            Parameter.of("secret_key", Type.STRING).secret().meaning("A secret."));

    @Test
    void absentValuesHaveDefaults() {
        ParameterValues values = ParameterValues.of(declared, Map.of());
        assertEquals("", values.text("path"));
        assertEquals(List.of(), values.paths("path"));
        assertFalse(values.flag("use_uring"));
        assertEquals(1 << 20, values.number("size"));
        assertEquals(0, values.number("count"));
        assertFalse(values.given("size"));
        assertEquals("default", values.origin("size"));
    }

    @Test
    void givenValuesAreRead() {
        ParameterValues values =
                ParameterValues.of(declared, Map.of("path", "/a,/b", "use_uring", "TRUE", "size", "2KB", "count", "7"));
        assertEquals(List.of("/a", "/b"), values.paths("path"));
        assertTrue(values.flag("use_uring"));
        assertEquals(2000, values.number("size"));
        assertEquals(7, values.number("count"));
        assertTrue(values.given("size"));
        assertEquals("call", values.origin("size"));
    }

    @Test
    void anEmptyTextCountsAsNotGiven() {
        ParameterValues values = ParameterValues.of(declared, Map.of("use_uring", "", "size", ""));
        assertFalse(values.flag("use_uring"));
        assertFalse(values.given("use_uring"));
        assertEquals(1 << 20, values.number("size"));
    }

    @Test
    void aWrongValueIsRefusedWithItsOriginKeyAndText() {
        for (String text : List.of("1", "yes")) {
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> new ParameterValues(declared, Map.of("use_uring", new Value(text, "kv.toml:7"))));
            assertEquals("kv.toml:7: use_uring must be true or false, not \"" + text + "\"", refused.getMessage());
        }
    }

    @Test
    void undeclaredKeysAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> ParameterValues.of(declared, Map.of("nope", "1")));
        ParameterValues values = ParameterValues.of(declared, Map.of());
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> values.text("nope"));
        assertTrue(refused.getMessage().contains("nope is not declared"), refused.getMessage());
    }

    @Test
    void secretsAreNeverShown() {
        ParameterValues values = ParameterValues.of(declared, Map.of("secret_key", "hunter2", "count", "7"));
        assertEquals("{path=, use_uring=, size=1MiB, count=7, secret_key=***}", values.toString());
        assertEquals("hunter2", values.text("secret_key"));
    }
}
