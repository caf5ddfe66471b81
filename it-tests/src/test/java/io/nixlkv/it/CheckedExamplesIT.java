package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every configuration in README.md and docs/ is one that the product takes. */
class CheckedExamplesIT {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(toml|json|yaml)\\n(.*?)^```$");
    private static final Pattern VALUE = Pattern.compile("(?m)^(\\w+) = \"[^\"]*\"$");

    @TempDir
    Path directory;

    /** One block of a page. */
    private record Example(Path page, int line, String language, String text) {
        @Override
        public String toString() {
            return page.getFileName() + ":" + line;
        }
    }

    static List<Example> examples() throws IOException {
        List<Example> found = new ArrayList<>();
        try (Stream<Path> pages = Stream.concat(Stream.of(Path.of("../README.md")), Files.list(Path.of("../docs")))) {
            for (Path page : pages.filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                String text = Files.readString(page);
                Matcher block = BLOCK.matcher(text);
                while (block.find()) {
                    int line = (int) text.substring(0, block.start()).lines().count() + 1;
                    // its hardware is asked for; DocumentedConfigurationsIT looks at what it says
                    if (!block.group(2).contains("DOCA_MEMOS")
                            && !block.group(2).contains("cuda")) {
                        found.add(new Example(page, line, block.group(1), block.group(2)));
                    }
                }
            }
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theCheckTakesIt(Example example) throws IOException {
        // Only where the data lies is another place here.
        String text = example.text().replace("\"/data/", "\"" + directory.resolve("data") + "/");
        Path config = Files.writeString(directory.resolve("example." + example.language()), text);
        Distribution.Run check = Distribution.nixlkv("config", "check", config.toString());
        assertEquals(0, check.exit(), check::toString);
        assertTrue(
                check.err().lines().allMatch(line -> line.contains("better give it by the environment")),
                check::toString);
    }

    /** They are the ones that {@link ObjectStoresIT} measures, with the address, names and keys of the test's server. */
    @Test
    void theSmallestOnesOfObjectStoresAreThoseThatWork() throws IOException {
        for (ObjectPlace place : List.of(ObjectPlace.minio(), ObjectPlace.azurite())) {
            String table = "[plugin." + place.plugin() + "]";
            Example example = examples().stream()
                    .filter(one -> one.text().startsWith(table))
                    .findFirst()
                    .orElseThrow();
            String filled = VALUE.matcher(example.text())
                    .replaceAll(found -> Matcher.quoteReplacement(
                            found.group(1) + " = \"" + place.settings().get(found.group(1)) + "\""));
            assertEquals(place.toml(Map.of()), filled, example.toString());
        }
    }
}
