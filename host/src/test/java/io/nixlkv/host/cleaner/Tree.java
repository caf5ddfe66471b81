package io.nixlkv.host.cleaner;

import io.nixlkv.api.PageKey;
import io.nixlkv.host.config.CleanerSettings;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.layout.NameBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Page files in a directory, as SGLang's connector would have written them. */
final class Tree {
    static final long HOUR = 3_600_000;

    private final Path root;

    Tree(Path root) {
        this.root = root;
    }

    Path root() {
        return root;
    }

    static StoreSettings settings(String... lines) {
        return HostConfig.parse("[store]\nlayout = \"hicache\"\n" + String.join("\n", lines), "c.toml", Map.of())
                .store();
    }

    static CleanerSettings marks(double high, double low, long capacity) {
        return new CleanerSettings(Optional.empty(), high, low, capacity);
    }

    static String hash(int page) {
        return String.format("%064x", 0x9e3779b9L * (page + 1));
    }

    /** The file's name with its bucket. */
    static String name(PageKey key) {
        NameBuffer name = new NameBuffer();
        Layouts.of(settings()).name(key, name);
        return name.toString();
    }

    static PageKey key(int page, String model, String part) {
        return new PageKey(hash(page), model, 0, 8, part);
    }

    /** Writes one object, last used at {@code millis}. */
    Path write(PageKey key, int bytes, long millis) throws IOException {
        Path file = root.resolve(name(key));
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[bytes]);
        touch(file, millis, millis);
        return file;
    }

    /** Both parts of a page, last used at {@code millis}. */
    void page(int page, String model, int bytesOfPart, long millis) throws IOException {
        write(key(page, model, "k"), bytesOfPart, millis);
        write(key(page, model, "v"), bytesOfPart, millis);
    }

    static void touch(Path file, long written, long read) throws IOException {
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(FileTime.fromMillis(written), FileTime.fromMillis(read), null);
    }

    /** Whether both parts of a page are there; fails if only one is. */
    boolean has(int page, String model) {
        boolean k = Files.exists(root.resolve(name(key(page, model, "k"))));
        boolean v = Files.exists(root.resolve(name(key(page, model, "v"))));
        if (k != v) {
            throw new AssertionError("page " + page + " is there by half");
        }
        return k;
    }

    long files() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .count();
        }
    }

    CleaningReport clean(StoreSettings settings, CleanerSettings marks, CleaningWatch watch) throws IOException {
        return clean(List.of(root), settings, marks, watch);
    }

    static CleaningReport clean(List<Path> roots, StoreSettings settings, CleanerSettings marks, CleaningWatch watch)
            throws IOException {
        return new CleaningPass(
                        new CleaningTask(roots, Ownership.of(settings, false), marks, false, false, 1 << 18), watch)
                .run();
    }
}
