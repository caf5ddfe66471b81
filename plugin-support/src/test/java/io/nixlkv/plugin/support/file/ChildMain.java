package io.nixlkv.plugin.support.file;

import io.nixlkv.plugin.support.testing.ChildJvm;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What another process does in tests: says one line, then works or waits until its input ends or it is killed. */
final class ChildMain {
    private ChildMain() {}

    /** Starts it with engine {@code nio} or {@code more}; see {@link ChildJvm}. */
    static ChildJvm start(List<String> wrapper, String role, Path root, String... more) throws IOException {
        String[] arguments =
                Stream.concat(Stream.of(role, root.toString()), Stream.of(more)).toArray(String[]::new);
        return new ChildJvm(wrapper, ChildMain.class, arguments);
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[1]);
        String engine = arguments.length > 2 ? arguments[2] : "nio";
        try (Opened store = new Opened(engine, arguments[0].startsWith("direct"), root)) {
            switch (arguments[0]) {
                case "pool" -> {
                    store.backend.openPool("kv", 8, 4096);
                    System.out.println("opened");
                }
                case "stage" -> {
                    for (int i = 0; i < 20; i++) {
                        store.run(Op.STAGE, Mode.CREATE, "k" + i, 1000, 0);
                    }
                    System.out.println("staged");
                }
                case "restored" -> {
                    Path work = root.resolve(".nixlkv");
                    try (Stream<Path> files = Files.walk(work)) {
                        files.sorted(Comparator.reverseOrder())
                                .forEach(file -> file.toFile().delete());
                    }
                    for (int i = 0; i < 20; i++) {
                        System.out.print(
                                store.run(Op.STAGE, Mode.CREATE, "k" + i, 1000, 0) == Status.DONE ? "" : "failed ");
                    }
                    System.out.println("staged");
                }
                case "direct" -> {
                    System.out.println(store.create("k", 8192) + " " + store.read("k", 8192));
                    System.out.println(store.backend.report().facts().get("arena_registered"));
                    return;
                }
                case "direct-large" -> {
                    System.out.println(store.create("k", 65536) + " " + store.batch.code(0) + " " + store.sentence());
                    System.out.println(Opened.temporaries(root) + " " + store.create("k", 4096));
                    return;
                }
                case "durable-batch" -> {
                    store.durable = true;
                    store.createAll(16, 8192);
                    boolean done = IntStream.range(0, 16).allMatch(item -> store.batch.status(item) == Status.DONE);
                    System.out.println(done ? "DONE" : "failed");
                    return;
                }
                case "durable" -> {
                    store.durable = true;
                    System.out.println(store.create("new/deep/k", 5000) + " " + store.replace("new/deep/k", 5000));
                    return;
                }
                default -> throw new IllegalArgumentException(arguments[0]);
            }
            System.out.flush();
            System.in.readAllBytes();
        } catch (StorageException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
