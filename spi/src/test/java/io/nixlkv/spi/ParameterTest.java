package io.nixlkv.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Parameter.Type;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterTest {
    private static Parameter plain(Type type) {
        return Parameter.of("key", type).meaning("A key.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "True", "TRUE", "tRuE"})
    void trueInAnyCaseIsTrue(String text) {
        assertEquals(Optional.empty(), plain(Type.BOOLEAN).problem(text));
        assertTrue(Parameter.flag(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "False", "FALSE"})
    void falseInAnyCaseIsFalse(String text) {
        assertEquals(Optional.empty(), plain(Type.BOOLEAN).problem(text));
        assertFalse(Parameter.flag(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0", "2", "yes", "yes ", "no", "on", "", " true", "true ", "truе"})
    void anythingElseIsNoBoolean(String text) {
        assertEquals(
                Optional.of("must be true or false, not \"" + text + "\""),
                plain(Type.BOOLEAN).problem(text));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1048576, 1048576",
        "512B, 512",
        "1KiB, 1024",
        "3 MiB, 3145728",
        "2GiB, 2147483648",
        "1KB, 1000",
        "5MB, 5000000",
        "1GB, 1000000000",
        "999999999999999999, 999999999999999999"
    })
    void bytesWithUnits(String text, long bytes) {
        assertEquals(Optional.empty(), plain(Type.BYTES).problem(text));
        assertEquals(bytes, Parameter.bytes(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5MiB", "1kib", "1 TiB", "MiB", "0x10", "1000000000000000000000", "1MiB ", "１"})
    void whatIsNoNumberOfBytes(String text) {
        assertTrue(plain(Type.BYTES).problem(text).isPresent(), text);
        assertThrows(IllegalArgumentException.class, () -> Parameter.bytes(text));
    }

    @Test
    void bytesBeyondALongAreTheLargestNumberAndOutOfAnyRange() {
        assertEquals(Long.MAX_VALUE, Parameter.bytes("999999999999999999GiB"));
        Parameter ranged = Parameter.of("size", Type.BYTES).range(1, 1L << 40).meaning("A size.");
        assertEquals(
                Optional.of("must be in 1 … 1099511627776, not \"999999999999999999GiB\""),
                ranged.problem("999999999999999999GiB"));
        assertEquals(Optional.of("must be in 1 … 1099511627776, not \"0\""), ranged.problem("0"));
        assertEquals(Optional.empty(), ranged.problem("1024GiB"));
    }

    @Test
    void integersHaveRanges() {
        Parameter threads = Parameter.of("threads", Type.INTEGER).range(1, 64).meaning("Threads.");
        assertEquals(Optional.empty(), threads.problem("1"));
        assertEquals(Optional.empty(), threads.problem("+64"));
        assertEquals(Optional.of("must be in 1 … 64, not \"0\""), threads.problem("0"));
        assertEquals(Optional.of("must be in 1 … 64, not \"65\""), threads.problem("65"));
        for (String text : List.of("", "1.0", "ten", "0x10", "1 ")) {
            assertEquals(Optional.of("must be a whole number, not \"" + text + "\""), threads.problem(text));
        }
        assertEquals(
                Optional.of("must be in 1 … 64, not \"9223372036854775807\""), threads.problem("9223372036854775807"));
        String endless = "9".repeat(300);
        assertEquals(Optional.of("must be in 1 … 64, not \"" + "9".repeat(100) + "…\""), threads.problem(endless));
        Parameter open = Parameter.of("count", Type.INTEGER).atLeast(0).meaning("A count.");
        assertEquals(Optional.of("must be at least 0, not \"-1\""), open.problem("-1"));
    }

    @Test
    void decimals() {
        Parameter mark = Parameter.of("mark", Type.DECIMAL).range(0, 1).meaning("A mark.");
        for (String text : List.of("0", "0.85", "1.000")) {
            assertEquals(Optional.empty(), mark.problem(text), text);
        }
        for (String text : List.of("1.01", "-0.1", ".5", "1e-1", "NaN", "0,5", "")) {
            assertTrue(mark.problem(text).isPresent(), text);
        }
    }

    @Test
    void aDecimalTooLargeToBeWrittenOutIsOutOfRange() {
        Parameter size = Parameter.of("size", Type.DECIMAL).range(0, 65536).meaning("A size.");
        assertEquals(Optional.of("must be in 0 … 65536, not \"1e300\""), size.problem("1e300"));
        assertEquals(
                Optional.of("must be in 0 … 65536, not \"1" + "0".repeat(99) + "…\""),
                size.problem("1" + "0".repeat(300) + ".0"));
        assertEquals(Optional.of("must be a decimal number, not \"1e1\""), size.problem("1e1"));
        assertEquals(Optional.of("must be a decimal number, not \"1e999999999\""), size.problem("1e999999999"));
    }

    @Test
    void choicesAreComparedWithoutCase() {
        Parameter mode = Parameter.of("mode", Type.CHOICE)
                .choices("create", "replace")
                .defaultValue("create")
                .meaning("A mode.");
        assertEquals(Optional.empty(), mode.problem("REPLACE"));
        assertEquals(Optional.of("must be one of create, replace, not \"append\""), mode.problem("append"));
        assertEquals("create | replace", mode.range());
    }

    @Test
    void pathsAreSplitTrimmedAndUnique() {
        Parameter paths = plain(Type.PATHS);
        assertEquals(List.of("/a", "/b c"), Parameter.paths(" /a , ,/b c,"));
        assertEquals(Optional.empty(), paths.problem("/a,/b"));
        assertEquals(Optional.of("names a path twice: \"/a, /a\""), paths.problem("/a, /a"));
        assertEquals(Optional.of("must name at least one path"), paths.problem(" , "));
    }

    @Test
    void aWrongDefaultIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Parameter.of("n", Type.INTEGER).defaultValue("many").meaning("N."));
    }

    @Test
    void aProblemNeverShowsASecret() {
        Parameter secret =
                Parameter.of("pin", Type.INTEGER).secret().range(0, 9).meaning("A pin.");
        assertEquals(Optional.of("must be a whole number, not the given value"), secret.problem("hunter2"));
        assertEquals(Optional.of("must be in 0 … 9, not the given value"), secret.problem("12345"));
        Parameter paths = Parameter.of("p", Type.PATHS).secret().meaning("Secret paths.");
        assertFalse(paths.problem("hunter2,hunter2").orElseThrow().contains("hunter2"));
        assertEquals("***", secret.masked("12345"));
        assertEquals("", secret.masked(""));
        Parameter address = Parameter.of("endpoint", Type.STRING).meaning("An address.");
        assertEquals("http://***@host:9000/a@b", address.masked("http://user:word@host:9000/a@b"));
        assertEquals("***@host:9000", address.masked("user:word@host:9000"));
        assertEquals("http://host:9000/a@b", address.masked("http://host:9000/a@b"));
        assertEquals("/data/a@b", address.masked("/data/a@b"));
    }

    @Test
    void answersToNameAndAliases() {
        Parameter key = Parameter.of("access_key", Type.STRING).aliases("ak").meaning("A key.");
        assertTrue(key.answersTo("access_key"));
        assertTrue(key.answersTo("ak"));
        assertFalse(key.answersTo("AK"));
    }
}
