package io.nixlkv.plugin.support.testing;

import java.util.Map;

/** What the proxy does with one request. */
public sealed interface Fault {
    /** Passes it on unharmed. */
    record Pass() implements Fault {}

    /** Waits before passing it on. */
    record Delay(long millis) implements Fault {}

    /** Reads the request and never answers. */
    record BlackHole() implements Fault {}

    /** Passes it on and answers with the head and only the first bytes of the body, then closes. */
    record CutAnswer(int bytes) implements Fault {}

    /** Passes it on and answers one byte at a time, with a pause after each. */
    record Trickle(long millis) implements Fault {}

    /** Answers by itself, after it has read the whole request. */
    record Answer(int status, Map<String, String> headers, String body) implements Fault {}

    /** Passes it on, then closes the connection without an answer. */
    record LoseAnswer() implements Fault {}

    /** Closes the connection in the middle of the request. */
    record CutRequest(int bytes) implements Fault {}

    /** Passes it on unharmed. */
    static Fault pass() {
        return new Pass();
    }

    /** An S3-like error. */
    static Fault s3Error(int status, String code) {
        return new Answer(
                status,
                Map.of("Content-Type", "application/xml"),
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>" + code
                        + "</Code><Message>said by a test</Message>" + "</Error>");
    }
}
