package io.nixlkv.it;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Two host processes on one directory. Each replaces and deletes keys of its own and replaces keys that both write, and loads all of
 * them. In the end nothing that was acknowledged is lost, and nothing is torn.
 */
final class SharedDirectory {
    private static final int OWN = 100;
    private static final int COMMON = 20;
    private static final int HOSTS = 2;
    private static final String MODE = "layout = \"raw\"\nwrite_mode = \"replace\"\nnum_workers = 2";

    private SharedDirectory() {}

    /** Own keys come first, those of host 0, then those of host 1; then the common ones. */
    private static RawKey key(int number) {
        return new RawKey("k" + number);
    }

    /**
     * Runs both for some time, and checks.
     *
     * @return operations that were acknowledged
     * @throws AssertionError with what was not as it must be
     */
    static long run(Path directory, Duration time) throws IOException, InterruptedException {
        List<Process> hosts = new ArrayList<>();
        for (int me = 0; me < HOSTS; me++) {
            hosts.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx96m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            SharedDirectory.class.getName(),
                            directory.toString(),
                            Integer.toString(me),
                            Long.toString(time.toMillis()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        }
        Map<Integer, Long> versions = new HashMap<>();
        long operations = 0;
        for (Process process : hosts) {
            try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] words = line.split(" ");
                    if (words[0].equals("operations")) {
                        operations += Long.parseLong(words[1]);
                    } else {
                        versions.put(Integer.parseInt(words[0]), Long.parseLong(words[1]));
                    }
                }
            }
            if (process.waitFor() != 0) {
                throw new AssertionError("a host process ended with " + process.exitValue());
            }
        }
        try (PackedHost host = new PackedHost();
                KvStore store = host.posix(directory.toString(), false, MODE)) {
            for (int number = 0; number < HOSTS * OWN + COMMON; number++) {
                long version = load(store, number);
                long wanted = versions.getOrDefault(number, -1L);
                if (number < HOSTS * OWN && version != wanted) {
                    throw new AssertionError(key(number) + " is version " + version + ", and was last " + wanted);
                }
            }
        }
        return operations;
    }

    /** The version that is there, -1 for none. */
    private static long load(KvStore store, int number) {
        byte[] bytes = new byte[KilledChild.content(number, 0).length];
        // Every version of a key has the length of version 0, so that it can be loaded whoever wrote it.
        ObjectResult result = store.load(key(number), ByteBuffer.wrap(bytes), CallOptions.DEFAULT);
        if (result.status() == Status.MISSING) {
            return -1;
        }
        if (result.status() != Status.DONE) {
            throw new AssertionError(result.toString());
        }
        long version = ByteBuffer.wrap(bytes).getLong(8);
        if (!java.util.Arrays.equals(bytes, content(number, version))) {
            throw new AssertionError(key(number) + " is torn");
        }
        return version;
    }

    private static byte[] content(int number, long version) {
        byte[] bytes = new byte[KilledChild.content(number, 0).length];
        new Random(number * 1_000_003L + version).nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(number).putInt(bytes.length).putLong(version);
        return bytes;
    }

    /** One of the hosts: directory, its number, milliseconds. Prints the last version of each of its own keys. */
    public static void main(String[] arguments) {
        int me = Integer.parseInt(arguments[1]);
        Random random = new Random(me);
        Map<Integer, Long> versions = new HashMap<>();
        long operations = 0;
        try (PackedHost host = new PackedHost();
                KvStore store = host.posix(arguments[0], false, MODE)) {
            long end = System.nanoTime()
                    + Duration.ofMillis(Long.parseLong(arguments[2])).toNanos();
            for (long version = 1; System.nanoTime() < end; version++, operations++) {
                int own = me * OWN + random.nextInt(OWN);
                int common = HOSTS * OWN + random.nextInt(COMMON);
                switch (random.nextInt(8)) {
                    case 0 -> {
                        store.delete(List.of(key(own)), CallOptions.DEFAULT);
                        versions.remove(own);
                    }
                    case 1, 2 -> put(store, common, version * HOSTS + me);
                    case 3 -> load(store, random.nextInt(HOSTS * OWN + COMMON));
                    case 4 -> {
                        if (load(store, own) != versions.getOrDefault(own, -1L)) {
                            throw new AssertionError(key(own) + " is not what this process stored last");
                        }
                    }
                    default -> {
                        put(store, own, version);
                        versions.put(own, version);
                    }
                }
            }
        }
        versions.forEach((number, version) -> System.out.println(number + " " + version));
        System.out.println("operations " + operations);
    }

    private static void put(KvStore store, int number, long version) {
        ObjectResult result = store.store(key(number), ByteBuffer.wrap(content(number, version)), CallOptions.DEFAULT);
        if (result.status() != Status.DONE) {
            throw new AssertionError(result.toString());
        }
    }
}
