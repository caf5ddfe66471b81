package io.nixlkv.host.config.document;

import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.Origin;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads YAML 1.2 (core schema) as nodes with marks. Nothing is constructed from tags. */
final class YamlDocument {
    private static final int MOST_LEVELS = 32;
    private static final int MOST_ALIASES = 50;
    private static final int MOST_CODE_POINTS = 16 << 20;

    /** The library's own merging of {@code <<} does not end when a mapping merges itself. */
    private static final class WithoutMerging extends CoreSchema {
        @Override
        public ScalarResolver getScalarResolver() {
            return new CoreScalarResolver(false);
        }
    }

    private final String source;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private YamlDocument(String source) {
        this.source = source;
    }

    static Document read(String text, String source) {
        return new YamlDocument(source).read(text);
    }

    private Document read(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(source)
                .setAllowDuplicateKeys(true) // reported below, with both places
                .setMaxAliasesForCollections(MOST_ALIASES)
                .setCodePointLimit(MOST_CODE_POINTS)
                .setSchema(new WithoutMerging())
                .build();
        Node.Table root = Document.empty(source).root();
        boolean complete = true;
        try {
            Iterator<org.snakeyaml.engine.v2.nodes.Node> documents =
                    new Compose(settings).composeAllFromString(text).iterator();
            if (documents.hasNext()) {
                org.snakeyaml.engine.v2.nodes.Node first = documents.next();
                if (first instanceof MappingNode mapping) {
                    root = table(mapping, "", 0);
                } else if (!isNothing(first)) {
                    problem(origin(first), "", "must be one YAML mapping of keys to values");
                    complete = false;
                }
                if (documents.hasNext()) {
                    problem(origin(documents.next()), "", "is a second document; a configuration is one document");
                }
            }
        } catch (MarkedYamlEngineException wrong) {
            complete = false;
            problem(origin(wrong.getProblemMark().or(wrong::getContextMark)), "", syntax(wrong.getProblem()));
        } catch (YamlEngineException wrong) {
            complete = false;
            problem(new Origin(source, 0, 0), "", "is not YAML that can be read here");
        }
        return new Document(source, root, problems, complete);
    }

    private Node.Table table(MappingNode mapping, String path, int level) {
        TableBuilder table = new TableBuilder(path, problems);
        for (NodeTuple tuple : mapping.getValue()) {
            Origin origin = origin(tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problem(origin, path, "has a key that is no text");
            } else if (key.getValue().equals("<<")) {
                problem(origin, path + "<<", "merging is not supported; write the keys out");
            } else {
                table.add(key.getValue(), value(tuple.getValueNode(), path + key.getValue(), level + 1), origin);
            }
        }
        return table.table(origin(mapping));
    }

    private Node value(org.snakeyaml.engine.v2.nodes.Node node, String path, int level) {
        Origin origin = origin(node);
        if (node.isRecursive() || level > MOST_LEVELS) {
            problem(origin, path, "is nested too deep or holds itself");
            return nothing(origin);
        }
        if (node instanceof MappingNode mapping && node.getTag().equals(Tag.MAP)) {
            return table(mapping, path + ".", level);
        }
        if (node instanceof SequenceNode sequence && node.getTag().equals(Tag.SEQ)) {
            List<Node> items = new ArrayList<>();
            sequence.getValue().forEach(item -> items.add(value(item, path, level + 1)));
            return new Node.Items(items, origin);
        }
        if (node instanceof ScalarNode scalar) {
            Optional<Node.Kind> kind = kind(scalar.getTag());
            if (kind.isPresent()) {
                return switch (kind.get()) {
                    case NOTHING -> nothing(origin);
                    case NUMBER -> scalar(kind.get(), PlainNumber.of(scalar.getValue()), origin);
                    case BOOLEAN -> scalar(kind.get(), scalar.getValue().toLowerCase(java.util.Locale.ROOT), origin);
                    default -> scalar(kind.get(), scalar.getValue(), origin);
                };
            }
        }
        problem(origin, path, "has a tag, which is not supported; write the plain value");
        return nothing(origin);
    }

    private static Node scalar(Node.Kind kind, String text, Origin origin) {
        return new Node.Scalar(kind, text, origin);
    }

    private static Node nothing(Origin origin) {
        return scalar(Node.Kind.NOTHING, "", origin);
    }

    private static Optional<Node.Kind> kind(Tag tag) {
        if (tag.equals(Tag.STR)) {
            return Optional.of(Node.Kind.TEXT);
        } else if (tag.equals(Tag.BOOL)) {
            return Optional.of(Node.Kind.BOOLEAN);
        } else if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            return Optional.of(Node.Kind.NUMBER);
        } else if (tag.equals(Tag.NULL)) {
            return Optional.of(Node.Kind.NOTHING);
        }
        return Optional.empty();
    }

    private static boolean isNothing(org.snakeyaml.engine.v2.nodes.Node node) {
        return node instanceof ScalarNode && node.getTag().equals(Tag.NULL);
    }

    /** The parser's word for it, unless that word may repeat the text. */
    private static String syntax(String problem) {
        if (problem == null || problem.contains("alias") || problem.contains("tag") || problem.contains("anchor")) {
            return "is not YAML here; check quotes and the characters & * ! @ at the start of a value";
        }
        if (problem.contains("TAB")) {
            return "is not YAML here; indent with blanks, not tabs";
        }
        return "is not YAML here; check indentation, quotes and the blank after each colon";
    }

    private void problem(Origin origin, String key, String sentence) {
        problems.add(TableBuilder.problem(origin, key, sentence));
    }

    private Origin origin(org.snakeyaml.engine.v2.nodes.Node node) {
        return origin(node.getStartMark());
    }

    private Origin origin(Optional<Mark> mark) {
        return mark.map(at -> new Origin(source, at.getLine() + 1, at.getColumn() + 1))
                .orElse(new Origin(source, 0, 0));
    }
}
