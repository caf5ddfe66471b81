package io.nixlkv.host.config;

import io.nixlkv.host.config.document.Document;
import io.nixlkv.host.config.document.Node;
import java.util.Map;

/** Tells by its content in which dialect a document is written, and reads it. */
final class Dialects {
    private static final String SGLANG_VARIABLES = "SGLANG_HICACHE_NIXL_";

    private Dialects() {}

    static RawConfig read(Document document, Map<String, String> environment) {
        Node.Table root = document.root();
        if (root.has("store")) {
            return TableDialect.read(document, Dialect.OWN);
        } else if (root.has("plugin")) {
            return TableDialect.read(document, Dialect.SGLANG);
        } else if (NixlNativeDialect.recognises(root)) {
            return NixlNativeDialect.read(document);
        } else if (LmcacheDialect.recognises(root)) {
            return LmcacheDialect.read(document, environment);
        } else if (root.entries().isEmpty()) {
            return nothing(document, environment);
        }
        return TableDialect.read(document, Dialect.SGLANG);
    }

    /** What there is without a document: SGLang's dialect as soon as one of its variables is set. */
    static RawConfig nothing(Document document, Map<String, String> environment) {
        boolean sglang = environment.entrySet().stream()
                .anyMatch(variable -> variable.getKey().startsWith(SGLANG_VARIABLES)
                        && !variable.getValue().isBlank());
        return TableDialect.read(document, sglang ? Dialect.SGLANG : Dialect.OWN);
    }

    /** @return the variables that concern {@code dialect} */
    static Map<String, String> environment(Dialect dialect, Map<String, String> all) {
        if (dialect.readsSglangVariables()) {
            return Map.copyOf(all);
        }
        Map<String, String> left = new java.util.HashMap<>(all);
        left.keySet().removeIf(name -> name.startsWith("SGLANG_"));
        return Map.copyOf(left);
    }
}
