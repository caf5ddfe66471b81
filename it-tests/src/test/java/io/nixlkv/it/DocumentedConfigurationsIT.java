package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.Dialect;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.StrategyInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every YAML and JSON block of the documentation, and SGLang's TOML: without a mistake, and those on files store and load. */
@Timeout(120)
class DocumentedConfigurationsIT {
    /** Where the examples have their files. */
    private static final String DATA = "/data/";

    private static final Map<String, String> ENVIRONMENT = Map.of("LOCAL_RANK", "1");
    private static final Pattern BLOCK = Pattern.compile("```(yaml|json|toml)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();

    @AfterEach
    void close() {
        host.close();
    }

    /** @param place page and number in it, with the language as ending */
    record Example(String place, String text) {
        @Override
        public String toString() {
            return place;
        }
    }

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        try (Stream<Path> pages = Stream.concat(Files.list(Path.of("../docs")), Stream.of(Path.of("../README.md")))) {
            for (Path page :
                    pages.filter(p -> p.toString().endsWith(".md")).sorted().toList()) {
                Matcher blocks = BLOCK.matcher(Files.readString(page));
                for (int number = 1; blocks.find(); number++) {
                    // the product's own files are run where their page is tested
                    if (!blocks.group(2).contains("[store]")) {
                        String name = page.getFileName() + "-" + number + "." + blocks.group(1);
                        examples.add(new Example(name, blocks.group(2)));
                    }
                }
            }
        }
        return examples;
    }

    private HostConfig config(Example example) {
        String text = example.text().replace(DATA, directory + "/");
        HostConfig config = HostConfig.parse(text, example.place(), ENVIRONMENT);
        if (config.dialect() == Dialect.LMCACHE) {
            return config;
        }
        // Neither the memory of a server, nor a cleaner that goes by how full this machine's disk is.
        return config.withCall("store.arena_gb", "0.0625").withCall("l3_cleaner_enabled", "false");
    }

    private List<StrategyInfo> strategies() {
        return host.host().plugins().strategies().stream()
                .map(found -> found.info())
                .toList();
    }

    @Test
    void everyModeOfEveryDialectHasAnExample() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (Example example : examples()) {
            HostConfig config = config(example);
            String language = example.place().substring(example.place().lastIndexOf('.') + 1);
            seen.add(config.dialect() + " " + language + " " + config.store().layout()
                    + (config.store().poolSize() > 0 ? " pool" : ""));
        }
        Set<String> wanted = Set.of(
                "LMCACHE yaml lmcache-engine",
                "LMCACHE yaml lmcache-engine pool",
                "LMCACHE yaml doca-memos",
                "NIXL_NATIVE json lmcache",
                "SGLANG toml hicache",
                "SGLANG json hicache");
        assertTrue(seen.containsAll(wanted), seen.toString());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isWithoutMistakeAndWorks(Example example) {
        HostConfig config = config(example);
        assertEquals(List.of(), texts(config.validate(strategies())));
        assertEquals(
                List.of(),
                texts(config.warnings(strategies())).stream()
                        .filter(warning -> !warning.contains("a secret in the configuration"))
                        .toList());
        if (!example.text().contains(DATA)) {
            return;
        }
        List<KvKey> keys = new ArrayList<>();
        try (KvStore store = host.host().open(config)) {
            for (int i = 0; i < 3; i++) {
                keys.add(store.key(key(config.store().layout(), i)));
                ByteBuffer value = ByteBuffer.allocate(4096).put(9, (byte) (i + 1));
                assertTrue(store.store(keys.get(i), value, CallOptions.DEFAULT).ok());
            }
        }
        try (KvStore store = host.host().open(config)) {
            assertEquals(3, store.lookup(keys, CallOptions.DEFAULT, 4096).leadingOk(), "a restart finds them");
            for (int i = 0; i < 3; i++) {
                ByteBuffer loaded = ByteBuffer.allocate(4096);
                assertTrue(store.load(keys.get(i), loaded, CallOptions.DEFAULT).ok());
                assertEquals(i + 1, loaded.get(9));
            }
        }
    }

    private static List<String> texts(List<ConfigProblem> problems) {
        return problems.stream().map(ConfigProblem::toString).toList();
    }

    private static String key(String layout, int number) {
        return switch (layout) {
            case "lmcache" -> "org/model@00000000@0@00" + number + number;
            case "lmcache-engine" -> "org/model@1@0@00" + number + number + "@half";
            case "hicache" -> "00" + number + number + "_org-model_0_1_k";
            default -> throw new IllegalArgumentException(layout);
        };
    }
}
