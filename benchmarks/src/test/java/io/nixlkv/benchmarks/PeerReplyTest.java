package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerReplyTest {

    @Test
    void readsTheThreeForms() {
        assertEquals(new PeerReply.Ready("nixl", "1.5.1", 1), PeerReply.parse("ready nixl 1.5.1 1"));
        assertEquals(new PeerReply.Ok(9284297), PeerReply.parse("ok 9284297"));
        assertEquals(new PeerReply.Failed("open /a b: No space"), PeerReply.parse("failed open /a b: No space"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ok",
                "ok ",
                "ok -1",
                "ok 1 2",
                "ok 1234567890123456789",
                "OK 1",
                "ready nixl 1",
                "failed",
                "E1129 x"
            })
    void anythingElseIsNoFigure(String line) {
        Exception refused = assertThrows(IllegalArgumentException.class, () -> PeerReply.parse(line));
        assertTrue(refused.getMessage().contains("\"" + line + "\""), refused.getMessage());
    }
}
