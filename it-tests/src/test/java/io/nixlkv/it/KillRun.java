package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** SIGKILL in the middle of writes, again and again: what is reported present loads with the right bytes. */
final class KillRun {
    private static final int AHEAD = 2;

    private final Path directory;
    private final KillMode mode;
    private final Map<Integer, Long> acknowledged = new HashMap<>();
    private final Map<Integer, Integer> gone = new HashMap<>();

    /** @param directory an empty one */
    KillRun(Path directory, KillMode mode) {
        this.directory = directory;
        this.mode = mode;
    }

    /** One child that is killed. Acknowledgements are read to the end of the pipe. */
    private record Child(Process process, BufferedReader lines, Path errors) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            process.toHandle().destroyForcibly();
            process.getOutputStream().close();
            lines.close();
        }
    }

    private Child start(Path place, int round) throws IOException {
        Path errors = directory.resolve("errors-" + round);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledChild.class.getName(),
                        place.toString(),
                        mode.name(),
                        Long.toString((round + 1) * 1_000_000L))
                .redirectError(errors.toFile())
                .start();
        return new Child(process, process.inputReader(StandardCharsets.US_ASCII), errors);
    }

    /** @throws AssertionError with what was not as it must be */
    void run(int rounds) throws IOException, InterruptedException {
        long seed = Long.getLong("nixlkv.tck.seed", System.nanoTime());
        System.out.println(mode + ": " + rounds + " kills with -Dnixlkv.tck.seed=" + seed);
        Random random = new Random(seed);
        Path place = directory.resolve("kv");
        Deque<Child> children = new ArrayDeque<>();
        try (PackedHost host = new PackedHost()) {
            for (int round = 0, started = 0; round < rounds; round++) {
                for (; started < rounds && children.size() <= AHEAD; started++) {
                    children.add(start(place, started));
                }
                try (Child child = children.remove()) {
                    kill(child, random.nextInt(12), random.nextInt(3_000_000));
                }
                check(host, place, round);
            }
        } finally {
            for (Child child : children) {
                child.close();
            }
        }
    }

    private void kill(Child child, int acknowledgements, long nanos) throws IOException, InterruptedException {
        try {
            child.process().getOutputStream().write('\n');
            child.process().getOutputStream().flush();
        } catch (IOException ended) {
            throw new AssertionError("the child ended by itself: " + read(child.errors()), ended);
        }
        for (int i = 0; i < acknowledgements; i++) {
            note(child, child.lines().readLine());
        }
        LockSupport.parkNanos(nanos);
        assertTrue(child.process().isAlive(), () -> "the child ended by itself: " + read(child.errors()));
        child.process().toHandle().destroyForcibly();
        assertTrue(child.process().waitFor(60, TimeUnit.SECONDS));
        for (String line = child.lines().readLine();
                line != null;
                line = child.lines().readLine()) {
            note(child, line);
        }
    }

    private void note(Child child, String line) {
        assertTrue(line != null, () -> "the child ended by itself: " + read(child.errors()));
        String[] words = line.split(" ");
        acknowledged.put(Integer.parseInt(words[0]), Long.parseLong(words[1]));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return gone.toString();
        }
    }

    private void check(PackedHost host, Path place, int round) {
        Map<String, Long> present = new HashMap<>();
        try (KvStore store = KilledChild.open(host, place, mode)) {
            store.list("", (key, length, lastUse) -> present.put(key.text(), length) == null);
            present.forEach((name, length) -> {
                int key = Integer.parseInt(name.substring(1));
                byte[] value = new byte[length.intValue()];
                ObjectResult loaded = store.load(new RawKey(name), ByteBuffer.wrap(value), CallOptions.DEFAULT);
                assertTrue(loaded.ok(), () -> "round " + round + ": " + loaded);
                ByteBuffer header = ByteBuffer.wrap(value);
                assertEquals(key, header.getInt(), () -> "round " + round + ": another key's bytes in " + name);
                assertEquals(value.length, header.getInt(), () -> "round " + round + ": length of " + name);
                long version = header.getLong();
                assertArrayEquals(
                        KilledChild.content(key, version), value, () -> "round " + round + ": " + name + " is torn");
                long promised = acknowledged.getOrDefault(key, -1L);
                assertTrue(
                        version >= promised || !mode.keepsWhatItAcknowledged(),
                        () -> "round " + round + ": " + name + " has version " + version + ", " + promised
                                + " was acknowledged");
            });
            List<RawKey> names = present.keySet().stream().map(RawKey::new).toList();
            if (!names.isEmpty()) {
                assertTrue(store.lookup(names, CallOptions.DEFAULT).allOk(), () -> "looked up in round " + round);
            }
            if (mode.isPool()) {
                int used = (int) store.status().details().get("slots_used");
                assertEquals(present.size(), used, "round " + round);
                assertTrue(used <= mode.slots());
                assertEquals(0L, store.status().details().get("slots_damaged"));
            }
            if (mode.keepsEverything()) {
                acknowledged.forEach((key, version) -> {
                    // The one operation that was under way may have deleted it.
                    boolean mayBeGone = version < 0 || !present.containsKey("k" + key) && isUnderWay(store, key);
                    assertTrue(
                            mayBeGone || present.containsKey("k" + key),
                            () -> "round " + round + ": k" + key + " was acknowledged and is gone");
                });
            }
            gone.clear();
            // What is there now is what the next round starts from.
            acknowledged.clear();
            present.keySet().forEach(name -> {
                byte[] value = new byte[present.get(name).intValue()];
                store.load(new RawKey(name), ByteBuffer.wrap(value), CallOptions.DEFAULT);
                acknowledged.put(
                        Integer.parseInt(name.substring(1)),
                        ByteBuffer.wrap(value).getLong(8));
            });
        }
    }

    /** Each writer had one operation under way, which may have been a delete: one key of a writer may be gone in a round. */
    private boolean isUnderWay(KvStore store, int key) {
        return store.lookup(List.of(new RawKey("k" + key)), CallOptions.DEFAULT).okCount() == 0
                && gone.merge(key / KilledChild.KEYS_PER_WRITER, 1, Integer::sum) <= 1;
    }
}
