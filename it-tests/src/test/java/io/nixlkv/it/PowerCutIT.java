package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code sync = true} promises, after a power cut: as soon as a store answers, the device below its mounted file system is copied,
 * and the copy, with its journal replayed by a mount, has all that was said to be done. Nothing is promised without {@code sync}.
 */
class PowerCutIT {
    private static final CallOptions ANY = CallOptions.DEFAULT;
    private static final int COUNT = 24;
    private static final int LENGTH = 16 << 10;

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();
    private int cuts;

    @AfterEach
    void closeHost() {
        host.close();
    }

    @ParameterizedTest
    @CsvSource({"threads,false", "threads,true", "uring,true", "nio,false"})
    void whatIsDoneIsThere(String engine, boolean direct) throws IOException {
        PackedHost.assumeUsable(engine);
        // by itself this file system writes its journal every five minutes
        try (LoopFs disk = LoopFs.make(directory, 32, "commit=300");
                KvStore store = open(disk.folder(), engine, direct)) {
            assertTrue(write(store, "first", 1, ANY).allOk());
            Path created = cut(disk);
            assertTrue(write(store, "first", 2, ANY).allOk());
            Path replaced = cut(disk);
            assertTrue(
                    write(store, "batch", 3, ANY.with(Atomicity.ALL_OR_NOTHING)).allOk());
            assertTrue(write(store, "batch", 3, ANY).allOk());
            Path batch = cut(disk);
            expect(created, "first", 1);
            expect(replaced, "first", 2);
            expect(batch, "first", 2);
            expect(batch, "batch", 3);
        }
    }

    private KvStore open(Path folder, String engine, boolean direct) {
        return host.host()
                .open(PackedHost.config(folder.toString(), direct, "layout = \"raw\"\nwrite_mode = \"replace\"")
                        .withCall("plugin.posix.engine", engine)
                        .withCall("plugin.posix.sync", "true"));
    }

    /** The device as it is now. */
    private Path cut(LoopFs disk) throws IOException {
        return Files.copy(disk.image(), directory.resolve("cut" + cuts++ + ".img"));
    }

    private void expect(Path image, String name, int version) throws IOException {
        try (LoopFs disk = LoopFs.mount(image, Files.createTempDirectory(directory, "replayed"));
                KvStore store = open(disk.folder(), "nio", false);
                ArenaLease lease = store.arena().lease(COUNT * LENGTH, Duration.ofSeconds(5))) {
            BatchResult result = store.load(objects(name, lease), ANY);
            assertEquals(COUNT, result.count(Status.DONE), () -> name + version + " on " + image + ": " + result);
            for (int at = 0; at < COUNT * LENGTH; at++) {
                assertEquals(content(version, at), lease.buffer().get(at), name + ", byte " + at);
            }
        }
    }

    private static BatchResult write(KvStore store, String name, int version, CallOptions options) {
        try (ArenaLease lease = store.arena().lease(COUNT * LENGTH, Duration.ofSeconds(5))) {
            ByteBuffer buffer = lease.buffer();
            for (int at = 0; at < COUNT * LENGTH; at++) {
                buffer.put(at, content(version, at));
            }
            return store.store(objects(name, lease), options);
        }
    }

    /** In folders of their own, so that new directories must be durable too. */
    private static List<KvObject> objects(String name, ArenaLease lease) {
        List<KvObject> objects = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            objects.add(new KvObject(new RawKey(name + "/" + i % 3 + "/k" + i), lease.slice(i * LENGTH, LENGTH)));
        }
        return objects;
    }

    private static byte content(int version, int at) {
        return (byte) (version * 59 + at * 31 + at / LENGTH);
    }
}
