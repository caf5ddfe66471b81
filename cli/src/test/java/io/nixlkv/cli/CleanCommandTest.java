package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code nixlkv clean} on a tree with two models, with a budget of so many GiB that 10 blocks of 4 KiB are 100 %. */
class CleanCommandTest {
    private static final double TEN_BLOCKS = 40960.0 / (1 << 30);

    @TempDir
    Path directory;

    private Path store;

    @BeforeEach
    void twoModels() throws Exception {
        store = directory.resolve("store");
        for (String model : new String[] {"org/a", "org/b"}) {
            Path config = config("model = \"" + model + "\"");
            for (int page = 0; page < 6; page++) {
                String name = String.format("%064x", page * 7 + 1) + "_" + model.replace('/', '-') + "_0_1";
                Path value = Files.write(directory.resolve("value"), new byte[100 + page]);
                Cli.Ended put = new Cli().run("put", "--config", config, name, value);
                assertEquals(0, put.code(), put.err());
            }
        }
        try (Stream<Path> files = objects()) {
            for (Path file : files.toList()) {
                int page = (int) Files.size(file) - 100;
                Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L + page * 1000L));
                Files.setAttribute(file, "lastAccessTime", FileTime.fromMillis(1_700_000_000_000L + page * 1000L));
            }
        }
    }

    private Path config(String... lines) throws IOException {
        Path file = directory.resolve("nixlkv.toml");
        Files.writeString(
                file,
                "l3_cleaner_capacity_gb = " + String.format("%.12f", TEN_BLOCKS) + "\n[store]\nlayout = \"hicache\"\n"
                        + String.join("\n", lines) + "\n[plugin.posix]\nactive = true\nfile_path = \"" + store
                        + "\"\n");
        return file;
    }

    private Stream<Path> objects() throws IOException {
        return Files.walk(store)
                .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && !file.toString().contains("/.nixlkv/"));
    }

    private long count(String model) throws IOException {
        try (Stream<Path> files = objects()) {
            return files.filter(file -> file.toString().contains("_" + model + "_"))
                    .count();
        }
    }

    @Test
    void aDryRunShowsWhatWouldGoByModel() throws Exception {
        Cli.Ended run = new Cli().run("clean", "--config", config(), "--dry-run");
        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().contains("l3_cleaner_capacity_gb: 60.0 % used, 120.0 % before of 40960 bytes"), run.out());
        assertTrue(
                run.outLines().stream()
                        .anyMatch(line -> line.matches(" *org-a +6 +24576 +2023-11-1\\d .* 3 +12288 .*")),
                run.out());
        assertTrue(
                run.outLines().stream()
                        .anyMatch(line -> line.matches(" *org-b +6 +24576 +2023-11-1\\d .* 3 +12288 .*")),
                run.out());
        assertTrue(run.out().contains("would delete 6 objects of 6 groups, 24576 bytes"), run.out());
        assertEquals(12, count("org-a") + count("org-b"));
    }

    @Test
    void onlyTheStoresModelGoesUnlessTold() throws Exception {
        JsonNode report = new Cli()
                .run(
                        "clean",
                        "--json",
                        "--config",
                        config("model = \"org/a\""),
                        "--high-watermark",
                        "50",
                        "--low-watermark",
                        "30")
                .json();
        assertEquals("cleaned", report.get("outcome").asText());
        assertEquals(4, report.get("deleted_objects").asInt());
        assertEquals(6, report.get("foreign_files").asInt());
        assertEquals(1, report.get("models").size());
        assertEquals("2023-11-14T22:13:20Z", report.at("/models/0/going/oldest").asText());
        assertEquals("2023-11-14T22:13:23Z", report.at("/models/0/going/newest").asText());
        assertEquals(60.0, report.at("/volumes/0/used_percent_before").asDouble(), 1e-6);
        assertEquals(20.0, report.at("/volumes/0/used_percent_after").asDouble(), 1e-6);
        assertFalse(report.get("estimated").asBoolean());
        assertEquals(2, count("org-a"));
        assertEquals(6, count("org-b"));

        Cli.Ended all = new Cli()
                .run("clean", "--config", config("model = \"org/a\""), "--all-models", "--high-watermark", "75");
        assertEquals(0, all.code(), all.err());
        assertEquals(6, count("org-a") + count("org-b"));
    }

    @Test
    void aCoolStoreLosesNothing() throws Exception {
        Cli.Ended run = new Cli().run("clean", "--config", config(), "--capacity-gb", "1");
        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().contains("nothing has to go: no high watermark is reached"), run.out());
        assertEquals(12, count("org-a") + count("org-b"));
    }

    @Test
    void whatCannotBeCleanedIsWrongUsage() throws Exception {
        Path pool = Files.writeString(
                directory.resolve("pool.toml"),
                "[store]\nlayout = \"raw\"\npool_size = 2\nslot_bytes = 4096\n[plugin.posix]\nactive = true\nfile_path = \""
                        + directory.resolve("pool") + "\"\n");
        Cli.Ended run = new Cli().run("clean", "--config", pool);
        assertEquals(2, run.code());
        assertTrue(
                run.err().contains("there is nothing to clean: not for a static pool: it has the size of its slots"),
                run.err());
        assertFalse(Files.exists(directory.resolve("pool")));

        Cli.Ended marks = new Cli().run("clean", "--config", config(), "--high-watermark", "60");
        assertEquals(2, marks.code());
        assertTrue(marks.err().contains("--high-watermark: 0 < --low-watermark"), marks.err());
    }

    @Test
    void aDirectoryThatIsNotThereIsEmptyAndStaysSo() throws Exception {
        Path absent = directory.resolve("absent");
        Path config = Files.writeString(
                directory.resolve("absent.toml"),
                "[store]\nlayout = \"hicache\"\n[plugin.posix]\nactive = true\nfile_path = \"" + absent + "\"\n");
        Cli.Ended run = new Cli().run("clean", "--config", config, "--dry-run");
        assertEquals(0, run.code(), run.err());
        assertFalse(Files.exists(absent));
    }

    @Test
    void statusSaysWhetherThereIsACleaner() throws Exception {
        String out = new Cli().run("status", "--config", config()).out();
        assertTrue(out.contains("cleaner: not in a single command; a host of this configuration has one"), out);
    }
}
