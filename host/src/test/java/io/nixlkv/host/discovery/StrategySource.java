package io.nixlkv.host.discovery;

/**
 * The source of a small strategy class, changed in one point by each {@code with…} method.
 *
 * @param className fully qualified, in a named package
 * @param text Java source
 */
record StrategySource(String className, String text) {
    private static final String INFO_BODY =
            "return new StrategyInfo(\"%s\", Set.of(), \"A test strategy.\", 0, List.of());";

    /** A strategy without fault. */
    static StrategySource of(String className, String strategyName) {
        int dot = className.lastIndexOf('.');
        return new StrategySource(className, """
                package %s;
                import io.nixlkv.spi.*;
                import java.util.*;
                public class %s implements StorageStrategy {
                    // members
                    @Override public StrategyInfo info() { %s }
                    @Override public List<EngineOffer> probe(StrategyConfig config) { return List.of(); }
                    @Override public StorageBackend open(OpenContext context) {
                        throw new StorageException(Status.UNSUPPORTED, "a test strategy opens nothing");
                    }
                }
                """.formatted(
                        className.substring(0, dot), className.substring(dot + 1), INFO_BODY.formatted(strategyName)));
    }

    /** Any other class. */
    static StrategySource plain(String className, String text) {
        return new StrategySource(className, text);
    }

    StrategySource withMembers(String members) {
        return replacing("// members", members);
    }

    StrategySource withConstructor(String body) {
        return withMembers("public %s() { %s }".formatted(simpleName(), body));
    }

    StrategySource withStaticBlock(String body) {
        return withMembers("static { %s }".formatted(body));
    }

    StrategySource withInfoBody(String body) {
        return new StrategySource(
                className, text.replaceFirst("info\\(\\) \\{.*}", "info() { " + body.replace("\\", "\\\\") + " }"));
    }

    StrategySource withAliases(String... aliases) {
        return replacing("Set.of()", "Set.of(\"" + String.join("\", \"", aliases) + "\")");
    }

    StrategySource extending(String superclass) {
        return replacing(" implements", " extends " + superclass + " implements");
    }

    StrategySource replacing(String old, String with) {
        if (!text.contains(old)) {
            throw new IllegalArgumentException("the source of " + className + " has no \"" + old + "\"");
        }
        return new StrategySource(className, text.replace(old, with));
    }

    private String simpleName() {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
