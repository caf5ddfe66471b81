package io.nixlkv.host.config.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.Origin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads JSON (RFC 8259) token by token, so that every value keeps its place. */
final class JsonDocument {
    private static final int MOST_LEVELS = 32;
    private static final Pattern CAPITAL_WORD = Pattern.compile("\\b(True|False|None)\\b");
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MOST_LEVELS).build())
            .build();

    private final String text;
    private final String source;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private JsonDocument(String text, String source) {
        this.text = text;
        this.source = source;
    }

    static Document read(String text, String source) {
        return new JsonDocument(text, source).read();
    }

    private Document read() {
        TableBuilder root = new TableBuilder("", problems);
        Origin begin = new Origin(source, 1, 1);
        boolean complete = false;
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                begin = place(parser);
                fill(root, parser, "");
                complete = parser.nextToken() == null;
                if (!complete) {
                    problem(place(parser), "goes on after the end of the object; remove what follows");
                }
            } else {
                problem(place(parser), "must be one JSON object, {…}");
            }
        } catch (JsonProcessingException wrong) {
            problems.add(syntax(wrong));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new Document(source, root.table(begin), problems, complete);
    }

    private void fill(TableBuilder table, JsonParser parser, String path) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            Origin origin = place(parser);
            parser.nextToken();
            table.add(key, value(parser, path + key + "."), origin);
        }
    }

    private Node value(JsonParser parser, String path) throws IOException {
        Origin origin = place(parser);
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                TableBuilder table = new TableBuilder(path, problems);
                fill(table, parser, path);
                yield table.table(origin);
            }
            case START_ARRAY -> {
                List<Node> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(parser, path));
                }
                yield new Node.Items(items, origin);
            }
            case VALUE_TRUE -> new Node.Scalar(Node.Kind.BOOLEAN, "true", origin);
            case VALUE_FALSE -> new Node.Scalar(Node.Kind.BOOLEAN, "false", origin);
            case VALUE_NULL -> new Node.Scalar(Node.Kind.NOTHING, "", origin);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                new Node.Scalar(Node.Kind.NUMBER, PlainNumber.of(parser.getText()), origin);
            default -> new Node.Scalar(Node.Kind.TEXT, parser.getText(), origin);
        };
    }

    private Origin place(JsonParser parser) {
        JsonLocation location = parser.currentTokenLocation();
        return new Origin(source, location.getLineNr(), location.getColumnNr());
    }

    private void problem(Origin origin, String sentence) {
        problems.add(TableBuilder.problem(origin, "", sentence));
    }

    /** Says what is wrong without the parser's words, which may hold part of a secret. */
    private ConfigProblem syntax(JsonProcessingException wrong) {
        JsonLocation location = wrong.getLocation();
        int offset = location == null ? text.length() : (int) Math.min(text.length(), location.getCharOffset());
        if (offset >= text.stripTrailing().length()) {
            return TableBuilder.problem(
                    place(text.stripTrailing().length()),
                    "",
                    "is not JSON: it ends before every bracket and quote is closed");
        }
        Matcher word = CAPITAL_WORD.matcher(text);
        while (word.find()) {
            if (word.start() <= offset && offset <= word.end() + 1) {
                return TableBuilder.problem(
                        place(word.start()), "", "is not JSON here; write true, false and null in lower case");
            }
        }
        for (int at : new int[] {offset, offset - 1}) {
            if (at >= 0 && text.charAt(at) == '\'') {
                return TableBuilder.problem(
                        place(at), "", "is not JSON here; keys and texts need double quotes, not single ones");
            }
        }
        return TableBuilder.problem(
                place(offset), "", "is not JSON here; check commas, brackets and double quotes just before this place");
    }

    private Origin place(int offset) {
        String before = text.substring(0, offset);
        int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
        return new Origin(source, line, offset - before.lastIndexOf('\n'));
    }
}
