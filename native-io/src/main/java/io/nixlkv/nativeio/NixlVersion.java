package io.nixlkv.nativeio;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NIXL's library does not tell its version. The package does: the folder {@code nixl*-VERSION.dist-info} of a wheel, or {@code
 * pkgconfig/nixl.pc} of an installation from source.
 */
final class NixlVersion {
    /** The oldest version that opens files by path and answers through the C interface as expected. */
    static final String LEAST = "1.3";

    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final Pattern WHEEL = Pattern.compile("\\.(nixl\\w*)\\.mesonpy\\.libs");

    private NixlVersion() {}

    /** Version of the package that {@code library} belongs to; empty where nothing tells. */
    static Optional<String> of(Path library) throws IOException {
        Path folder = library.getParent();
        Matcher wheel = WHEEL.matcher(folder.getFileName().toString());
        if (wheel.matches()) {
            String prefix = wheel.group(1) + "-";
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder.getParent(), prefix + "*.dist-info")) {
                for (Path each : all) {
                    String name = each.getFileName().toString();
                    return Optional.of(name.substring(prefix.length(), name.length() - ".dist-info".length()));
                }
            }
        }
        Path description = folder.resolve("pkgconfig/nixl.pc");
        if (Files.isRegularFile(description)) {
            for (String line : Files.readAllLines(description)) {
                if (line.startsWith("Version:")) {
                    return Optional.of(line.substring("Version:".length()).strip());
                }
            }
        }
        return Optional.empty();
    }

    static boolean newEnough(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        Matcher least = NUMBERS.matcher(LEAST);
        if (!numbers.matches() || !least.matches()) {
            return true;
        }
        int major = Integer.parseInt(numbers.group(1)) - Integer.parseInt(least.group(1));
        return major > 0 || major == 0 && Integer.parseInt(numbers.group(2)) >= Integer.parseInt(least.group(2));
    }
}
