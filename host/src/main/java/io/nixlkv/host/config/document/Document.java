package io.nixlkv.host.config.document;

import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.Origin;
import java.util.List;

/**
 * A configuration document.
 *
 * @param source its name in messages
 * @param root everything that could be read
 * @param problems what is wrong with the syntax; no sentence repeats the document's text
 * @param complete whether nothing was lost to a mistake in the syntax
 */
public record Document(String source, Node.Table root, List<ConfigProblem> problems, boolean complete) {
    public Document {
        problems = List.copyOf(problems);
    }

    /** A document without content. */
    public static Document empty(String source) {
        return new Document(source, new Node.Table(List.of(), new Origin(source, 0, 0)), List.of(), true);
    }

    /**
     * Reads text in the form that its content shows, or else its name.
     *
     * @param source stands for the file's name in messages and places
     */
    public static Document read(String text, String source) {
        String unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
        if (unmarked.isBlank()) {
            return empty(source);
        }
        return switch (DocumentForm.of(unmarked, source)) {
            case TOML -> TomlDocument.read(unmarked, source);
            case JSON -> JsonDocument.read(unmarked, source);
            case YAML -> YamlDocument.read(unmarked, source);
        };
    }

    /** Reads JSON. */
    public static Document json(String text, String source) {
        return text.isBlank() ? empty(source) : JsonDocument.read(text, source);
    }
}
