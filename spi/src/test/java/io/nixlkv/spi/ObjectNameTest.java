package io.nixlkv.spi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b/c", "..a", "a..", "...", ".a/b.", "a b", "größe/🔑", "a:b@c%d"})
    void goodNames(String name) {
        assertTrue(ObjectName.valid(name, 255));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/a", "a/", "a//b", ".", "..", "./a", "a/.", "a/./b", "../a", "a/../b", "a\0"})
    void badNames(String name) {
        assertFalse(ObjectName.valid(name, 255));
    }

    @Test
    void theLimitIsInBytes() {
        assertTrue(ObjectName.valid("üüü", 6));
        assertFalse(ObjectName.valid("üüü", 5));
    }
}
