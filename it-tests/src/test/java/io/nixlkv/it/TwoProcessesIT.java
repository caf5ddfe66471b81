package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two host processes put the same keys into one directory at once: both succeed, and what is there is one of the two, whole. */
class TwoProcessesIT {
    private static final int KEYS = 200;
    private static final int BYTES = 256 << 10;

    @TempDir
    Path directory;

    @Test
    void bothPutAndEveryObjectIsWhole() {
        List<CompletableFuture<Distribution.Run>> children = new ArrayList<>();
        for (String fill : List.of("17", "34")) {
            children.add(Distribution.onItsOwn(() -> Distribution.run(new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                    "-Xmx128m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Child.class.getName(),
                    directory.toString(),
                    fill))));
        }
        int created = 0;
        for (CompletableFuture<Distribution.Run> child : children) {
            Distribution.Run run = child.join();
            assertEquals(0, run.exit(), run::toString);
            created += Integer.parseInt(run.out().strip());
        }
        assertEquals(KEYS, created, "each object was created by exactly one");
        try (PackedHost host = new PackedHost();
                KvStore store = host.raw(directory)) {
            for (int i = 0; i < KEYS; i++) {
                byte[] value = new byte[BYTES];
                assertTrue(store.load(new RawKey("k" + i), ByteBuffer.wrap(value), CallOptions.DEFAULT)
                        .ok());
                byte[] whole = new byte[BYTES];
                Arrays.fill(whole, value[0]);
                assertTrue((value[0] == 17 || value[0] == 34) && Arrays.equals(whole, value), "k" + i + " is torn");
            }
        }
    }

    /** The short form of what {@code .ci/soak} does for a minute. */
    @Test
    void replacingAndDeletingLosesNothing() throws IOException, InterruptedException {
        long operations = SharedDirectory.run(directory, Duration.ofSeconds(4));
        assertTrue(operations > 20, operations + " operations");
    }

    /** Puts every key in mode CREATE, and prints how many it created. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            byte[] value = new byte[BYTES];
            Arrays.fill(value, Byte.parseByte(arguments[1]));
            int created = 0;
            try (PackedHost host = new PackedHost();
                    KvStore store = host.posix(arguments[0], false, "layout = \"raw\"\nwrite_mode = \"create\"")) {
                for (int i = 0; i < KEYS; i++) {
                    ObjectResult result = store.store(new RawKey("k" + i), ByteBuffer.wrap(value), CallOptions.DEFAULT);
                    if (!result.ok()) {
                        throw new IllegalStateException(result.reason());
                    }
                    created += result.status() == Status.DONE ? 1 : 0;
                }
            }
            System.out.println(created);
        }
    }
}
