package io.nixlkv.it;

import io.nixlkv.api.KvStore;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCache;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.host.hicache.HiCacheView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A HiCache view over the packed host on POSIX directories, and pages to try it with. */
final class HiCacheRig implements AutoCloseable {
    static final HiCacheIdentity MHA = HiCacheIdentity.of("org/model");
    static final HiCacheIdentity MLA = new HiCacheIdentity("org/mla", 0, 1, true);

    final Path root;
    final KvStore store;
    final HiCache view;
    private final PackedHost host = new PackedHost();

    HiCacheRig(Path root, HiCacheIdentity identity, boolean direct, HiCacheOptions options, String more) {
        this.root = root;
        store = host.posix(root.toString(), direct, "layout = \"hicache\"\n" + more);
        view = HiCacheView.over(store, identity, options);
    }

    HiCacheRig(Path root, HiCacheIdentity identity, boolean direct) {
        this(root, identity, direct, HiCacheOptions.DEFAULT, "");
    }

    HiCacheRig(Path root, HiCacheIdentity identity) {
        this(root, identity, false);
    }

    /** A pool of layout {@code page_first} in the arena, with the parts that the view's model has. */
    ArenaPool pool(int pages, int partBytes) {
        return view.identity().mla()
                ? ArenaPool.lease(store.arena(), "page_first", pages, partBytes)
                : ArenaPool.lease(store.arena(), "page_first", pages, partBytes, partBytes);
    }

    /** Runs on a thread of its own: the common pool may have a single one. */
    static <T> CompletableFuture<T> start(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task, "hicache-test").start());
    }

    static String hash(int page) {
        try {
            byte[] text = ("page-" + page).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException never) {
            throw new AssertionError(never);
        }
    }

    /** Hashes of the pages {@code 0} to {@code count - 1}. */
    static List<String> hashes(int count) {
        return IntStream.range(0, count).mapToObj(HiCacheRig::hash).toList();
    }

    static int[] pages(int count) {
        return IntStream.range(0, count).toArray();
    }

    static byte[] content(int seed, int bytes) {
        byte[] content = new byte[bytes];
        for (int j = 0; j < bytes; j++) {
            content[j] = (byte) (seed * 131 + j * 7 + (j >> 8));
        }
        return content;
    }

    static void fill(HostPool pool, int page, int seed) {
        pool.copyIn(page, ByteBuffer.wrap(content(seed, pool.pageBytes())));
    }

    static void fill(HostPool pool) {
        IntStream.range(0, pool.pages()).forEach(page -> fill(pool, page, page));
    }

    static void wipe(HostPool pool) {
        IntStream.range(0, pool.pages()).forEach(page -> pool.copyIn(page, ByteBuffer.allocate(pool.pageBytes())));
    }

    static boolean holds(HostPool pool, int page, int seed) {
        ByteBuffer flat = ByteBuffer.allocate(pool.pageBytes());
        pool.copyOut(page, flat);
        return flat.flip().equals(ByteBuffer.wrap(content(seed, pool.pageBytes())));
    }

    /** Whether each page holds what {@link #fill(HostPool)} wrote. */
    static boolean holds(HostPool pool) {
        return IntStream.range(0, pool.pages()).allMatch(page -> holds(pool, page, page));
    }

    /** The files of objects, all of them. */
    List<Path> files() {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(Files::isRegularFile)
                    .filter(path -> !path.toString().contains("/.nixlkv/"))
                    .sorted()
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    List<String> names() {
        return files().stream()
                .map(file -> file.getFileName().toString())
                .sorted()
                .toList();
    }

    Path file(PageKey key) {
        return files().stream()
                .filter(file -> file.endsWith(key.text()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        view.close();
        host.close();
    }
}
