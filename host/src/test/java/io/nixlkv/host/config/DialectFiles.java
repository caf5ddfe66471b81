package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StrategyInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The test resources in SGLang's and LMCache's dialects, and strategies like those they are for. */
final class DialectFiles {
    static final StrategyInfo POSIX = new StrategyInfo(
            "POSIX",
            Set.of(),
            "Files.",
            300,
            List.of(
                    Parameter.of("file_path", Type.PATHS)
                            .defaultValue("/tmp/hicache_storage")
                            .environment("SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR")
                            .meaning("Directories."),
                    Parameter.of("use_direct_io", Type.BOOLEAN)
                            .defaultValue("true")
                            .meaning("Direct I/O."),
                    Parameter.of("sync", Type.BOOLEAN).defaultValue("false").meaning("Durable."),
                    Parameter.of("use_uring", Type.BOOLEAN)
                            .defaultValue("false")
                            .meaning("Ring."),
                    Parameter.of("ios_pool_size", Type.INTEGER)
                            .range(0, 65536)
                            .defaultValue("65536")
                            .meaning("Requests.")));

    /** POSIX and the others of SGLang's document. */
    static final List<StrategyInfo> ALL =
            Stream.concat(Stream.of(POSIX), SglangTables.ALL.stream()).toList();

    private DialectFiles() {}

    static String text(String name) {
        try (InputStream stream = DialectFiles.class.getResourceAsStream("/dialects/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static HostConfig file(String name) {
        return HostConfig.parse(text(name), name, Map.of());
    }

    static List<String> problems(HostConfig config) {
        return texts(config.validate(ALL));
    }

    static List<String> warnings(HostConfig config) {
        return texts(config.warnings(ALL));
    }

    private static List<String> texts(List<ConfigProblem> problems) {
        List<String> texts = new ArrayList<>();
        problems.forEach(problem -> texts.add(problem.toString()));
        return texts;
    }

    static ShownValue shown(HostConfig config, String key) {
        return config.resolved().stream()
                .filter(value -> value.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    static ShownValue shown(HostConfig config, StrategyInfo info, String key) {
        return config.resolved(config.table(info), info).stream()
                .filter(value -> value.key().endsWith("." + key))
                .findFirst()
                .orElseThrow();
    }

    static StrategyInfo known(String name) {
        return SglangTables.find(name).orElseThrow();
    }
}
