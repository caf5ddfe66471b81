package io.nixlkv.plugin.support.testing;

import java.util.Map;

/**
 * A request as it came over the wire.
 *
 * @param number 0 for the first one of the proxy
 * @param target path and query, encoded
 * @param headers by lower-case name
 * @param body as sent, framing included
 */
public record SeenRequest(int number, String method, String target, Map<String, String> headers, byte[] body) {
    /** A header; empty if absent. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }
}
