package io.nixlkv.host.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** C20: a key or variable in the reference that the code does not read is a failure. */
class DocumentedKeysTest {
    private static final String NONSENSE = "nonsense?";
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|.*");

    private static Map<String, List<String>> keys() throws IOException {
        Map<String, List<String>> keys = new LinkedHashMap<>();
        String section = "";
        for (String line : Files.readAllLines(Path.of("../docs/configuration.md"))) {
            if (line.startsWith("## ")) {
                section = line.substring(3);
            }
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                keys.computeIfAbsent(section, any -> new ArrayList<>()).add(row.group(1));
            }
        }
        return keys;
    }

    /** Whether setting it to nonsense is refused, or seen in the effective configuration. */
    private static boolean isRead(HostConfig config, String key) {
        String name = key.substring(key.lastIndexOf('.') + 1);
        List<ConfigProblem> found = new ArrayList<>(config.validate(DialectFiles.ALL));
        found.addAll(config.warnings(DialectFiles.ALL));
        boolean judged = found.stream()
                .anyMatch(problem -> problem.key().endsWith(name)
                        && !problem.sentence().startsWith("unknown key")
                        && !problem.sentence().startsWith("is not a key"));
        List<ShownValue> shown = new ArrayList<>(config.resolved());
        for (var info : DialectFiles.ALL) {
            config.table(info).ifPresent(table -> shown.addAll(config.resolved(config.table(info), info)));
        }
        boolean seen = shown.stream()
                .anyMatch(value -> value.text().equals(NONSENSE)
                        || value.key().endsWith("." + name) && value.text().equals("***"));
        return judged
                || seen
                || config.plugins().stream().anyMatch(table -> table.engine().equals(NONSENSE));
    }

    @Test
    void everyDocumentedKeyIsRead() throws IOException {
        List<String> unread = new ArrayList<>();
        int count = 0;
        for (Map.Entry<String, List<String>> section : keys().entrySet()) {
            for (String key : section.getValue()) {
                HostConfig config = with(section.getKey(), key);
                if (config != null) {
                    count++;
                    if (!isRead(config, key)) {
                        unread.add(section.getKey() + " " + key);
                    }
                }
            }
        }
        assertTrue(count > 70, count + " keys");
        assertTrue(unread.isEmpty(), unread.toString());
    }

    /** Other keys of a shipped strategy are declared by its jar, with which the reference is compared. */
    private static boolean isOfHost(String plugin, String key) {
        return SglangTables.find(plugin).stream()
                .flatMap(info -> info.parameters().stream())
                .anyMatch(parameter -> parameter.name().equals(key));
    }

    private static HostConfig with(String section, String key) {
        Matcher plugin = Pattern.compile("`\\[plugin\\.(\\w+)]`.*").matcher(section);
        String line = key + " = \"" + NONSENSE + "\"\n";
        if (section.equals("Top level")) {
            return HostConfig.parse(line + "[store]\n", "c.toml", Map.of());
        } else if (section.equals("`[store]`")) {
            return HostConfig.parse("[store]\n" + line, "c.toml", Map.of());
        } else if (section.equals("`[plugin.NAME]`")) {
            return HostConfig.parse("[store]\n[plugin.obj]\n" + line, "c.toml", Map.of())
                    .withCall("store.model", NONSENSE);
        } else if (plugin.matches() && isOfHost(plugin.group(1), key)) {
            return HostConfig.parse(
                    "[store]\n[plugin." + plugin.group(1) + "]\nactive = true\n" + line, "c.toml", Map.of());
        } else if (section.startsWith("LMCache `nixl_native`")) {
            return HostConfig.adapter("{\"" + key + "\": \"" + NONSENSE + "\"}", Map.of());
        } else if (section.equals("LMCache file, top level")) {
            String memory = key.equals("nixl_buffer_device") ? "" : "nixl_buffer_device: cpu\n";
            String pool = key.equals("extra_config") ? "" : "extra_config: {nixl_pool_size: 0}\n";
            return HostConfig.parse(memory + key + ": \"" + NONSENSE + "\"\n" + pool, "c.yaml", Map.of());
        } else if (section.startsWith("LMCache file, `extra_config`")) {
            String backend =
                    key.equals("nixl_backend") ? "" : ", nixl_backend: " + (key.contains("endpoint") ? "OBJ" : "POSIX");
            return HostConfig.parse(
                    "extra_config: {" + key + ": \"" + NONSENSE + "\"" + backend + "}\n", "c.yaml", Map.of());
        }
        return null;
    }

    @Test
    void everyMessageOfTheTroubleshootingPageIsMadeAndAsserted() throws IOException {
        String messages = sources("main");
        String tests = sources("test");
        List<String> missing = new ArrayList<>();
        int rows = 0;
        for (String line : Files.readAllLines(Path.of("../docs/troubleshooting.md"))) {
            Matcher message = Pattern.compile(".*\\| `([^`]+)` \\|").matcher(line);
            if (message.matches()) {
                rows++;
                if (!isMade(message.group(1), messages)) {
                    missing.add("not made: " + message.group(1));
                }
                if (!tests.contains(message.group(1))) {
                    missing.add("not asserted: " + message.group(1));
                }
            }
        }
        assertTrue(rows > 20, rows + " rows");
        assertEquals(List.of(), missing);
    }

    /** By the words of the message that the code has in one piece. */
    private static boolean isMade(String message, String sources) {
        String words = message.replaceFirst("^eviction: ", "")
                .replaceFirst("^0 < l3_cleaner_low_watermark < l3_cleaner_high_watermark", "")
                .replaceFirst("with backend POSIX.*", "with backend ")
                .replaceFirst("of secret_key$", "of ")
                .replaceFirst("with nixl_buffer_device: cpu$", "with ")
                .replaceFirst("write local_cpu_use_hugepages$", "write ")
                .replaceFirst("by the environment$", "by ");
        return sources.contains(words);
    }

    /** What all modules have in {@code src/main} or {@code src/test}, texts in several pieces joined; without this class. */
    private static String sources(String kind) throws IOException {
        StringBuilder texts = new StringBuilder();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module : modules.toList()) {
                Path sources = module.resolve("src").resolve(kind);
                if (Files.isDirectory(sources)) {
                    append(sources, texts);
                }
            }
        }
        return texts.toString().replaceAll("\"\\s*\\+\\s*\"", "");
    }

    private static void append(Path sources, StringBuilder texts) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".java") && !name.startsWith("DocumentedKeysTest") || file.endsWith("bin/nixlkv")) {
                    texts.append(Files.readString(file)).append('\n');
                }
            }
        }
    }

    /** Flags and variables in the documents of LMCache and SGLang that nixlkv follows. */
    private static final List<String> THEIRS = List.of(
            "--l2-adapter",
            "--l1-size-gb",
            "--l1-align-bytes",
            "--num-keys",
            "--in-flight",
            "--data-size-kb",
            "--rounds",
            "--warmup-rounds",
            "--no-skip-verify",
            "--no-build-isolation",
            "--host",
            "--port",
            "--page-size",
            "--model-path",
            "--enable-hierarchical-cache",
            "--hicache-ratio",
            "--hicache-size",
            "--hicache-write-policy",
            "--hicache-storage-backend",
            "--hicache-storage-backend-extra-config",
            "LMCACHE_CONFIG_FILE",
            "BUILD_WITH_NIXL",
            "NIXL_INCLUDE_DIR",
            "NIXL_LIBRARY_DIR",
            "NIXL_PLUGIN_DIR",
            "NIXL_PREFIX",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_DEFAULT_BUCKET",
            "SGLANG_HICACHE_NIXL_BACKEND_PLUGIN",
            "SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR",
            "SGLANG_HICACHE_NIXL_USE_DIRECT_IO");

    @Test
    void everyFlagAndVariableOfTheirDocumentsHasItsRow() throws IOException {
        String page = Files.readString(Path.of("../docs/compatibility.md"));
        String rows = page.substring(page.indexOf("## Server flags and where they went"));
        List<String> missing = THEIRS.stream()
                .filter(flag -> !Pattern.compile("`[^`]*(?<![\\w-])" + flag + "(?![\\w-])[^`]*`.*\\|")
                        .matcher(rows)
                        .find())
                .toList();
        assertEquals(List.of(), missing);
    }
}
