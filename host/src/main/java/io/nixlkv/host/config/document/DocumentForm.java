package io.nixlkv.host.config.document;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The languages that documents are written in. */
enum DocumentForm {
    TOML,
    JSON,
    YAML;

    private static final Pattern TABLE_OR_ASSIGNMENT =
            Pattern.compile("(\\[+\\s*[\\w\"'.\\s-]+\\]+\\s*(#.*)?)|([\\w\"'.\\s-]+=.*)", Pattern.DOTALL);
    private static final Pattern KEY_AND_COLON =
            Pattern.compile("(---(\\s.*)?)|(%YAML.*)|(- .*)|((\\w[\\w.-]*|\"[^\"]*\"|'[^']*')\\s*:(\\s.*)?)");

    /** What the first line that says something looks like; where that does not tell, what the name ends in; else TOML. */
    static DocumentForm of(String text, String source) {
        Optional<String> first = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .findFirst();
        DocumentForm named = ofName(source);
        if (first.isEmpty()) {
            return named == JSON ? JSON : TOML;
        }
        if (first.get().startsWith("{")) {
            return named == YAML ? YAML : JSON;
        }
        if (TABLE_OR_ASSIGNMENT.matcher(first.get()).matches()) {
            return TOML;
        }
        return KEY_AND_COLON.matcher(first.get()).matches() ? YAML : named;
    }

    private static DocumentForm ofName(String source) {
        String name = source.toLowerCase(Locale.ROOT);
        if (name.endsWith(".json")) {
            return JSON;
        }
        return name.endsWith(".yaml") || name.endsWith(".yml") ? YAML : TOML;
    }
}
