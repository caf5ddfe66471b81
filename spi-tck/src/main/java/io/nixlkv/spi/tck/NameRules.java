package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.NAMES;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names that must work, and names that must not. */
interface NameRules extends UnderTest {
    @Test
    default void everyNameWithinTheLimitWorks() {
        List<String> names = Stream.of(
                        "plain",
                        "with space",
                        "nested/in/several/parts",
                        "Größe/キャッシュ/🔑",
                        "org%2Fmodel@0000002a@00112233.data",
                        "..hidden..",
                        ".dot",
                        "x".repeat(255),
                        "p".repeat(255) + "/" + "q".repeat(255),
                        "ü".repeat(127))
                .filter(name -> name.getBytes(StandardCharsets.UTF_8).length
                        <= store().can().maxNameBytes())
                .toList();
        Transfer write = store().transfer(Op.WRITE);
        Transfer read = store().transfer(Op.READ);
        for (int i = 0; i < names.size(); i++) {
            write.put(names.get(i), new Content(i, 300 + i));
            read.get(names.get(i), 300 + i);
        }
        write.run().all(NAMES, Status.DONE);
        Outcomes found = read.run();
        for (int i = 0; i < names.size(); i++) {
            found.holds(i, NAMES, new Content(i, 300 + i));
        }
        if (store().has(Feature.LIST)) {
            Set<String> listed = store().list("").keySet();
            NAMES.check(listed.equals(Set.copyOf(names)), () -> "wrote " + names + " but list() shows " + listed);
        }
    }

    @Test
    default void namesThatEscapeAreRefused() throws IOException {
        Path outside = store().location().getParent();
        List<String> names = List.of(
                "../x",
                outside.resolve("abs").toString(),
                "/abs",
                "a//b",
                "a/",
                ".",
                "..",
                "a/../../b",
                "a/./b",
                "a/..",
                "",
                "nul\0byte");
        Content good = new Content(1, 4096);
        for (Op op : List.of(Op.WRITE, Op.READ, Op.QUERY, Op.DELETE, Op.STAGE)) {
            if (op == Op.DELETE && !store().has(Feature.DELETE) || op == Op.STAGE && !store().has(Feature.STAGE)) {
                continue;
            }
            boolean writes = op == Op.WRITE || op == Op.STAGE;
            Transfer transfer = store().transfer(op);
            for (String name : names) {
                if (writes) {
                    transfer.put(name, new Content(2, 64));
                } else {
                    transfer.get(name, op == Op.READ ? 64 : 0);
                }
            }
            transfer.run().all(NAMES, Status.INVALID);
        }
        store().transfer(Op.WRITE)
                .put("good/1", good)
                .put("../x", good)
                .put("good/2", good)
                .run()
                .item(0, Rule.PER_OBJECT, Status.DONE)
                .item(1, NAMES, Status.INVALID)
                .item(2, Rule.PER_OBJECT, Status.DONE);
        if (store().has(Feature.LIST)) {
            Set<String> listed = store().list("").keySet();
            NAMES.check(listed.equals(Set.of("good/1", "good/2")), () -> "list() shows " + listed);
        }
        try (Stream<Path> entries = Files.list(outside)) {
            Set<Path> found = entries.collect(Collectors.toSet());
            NAMES.check(found.equals(Set.of(store().location())), () -> "written outside the store: " + found);
        }
        NAMES.check(!Files.exists(Path.of("/abs")), () -> "written outside the store: /abs");
    }

    @Test
    default void namesAboveTheLimitAreRefused() {
        String name = "n".repeat(store().can().maxNameBytes() + 1);
        NAMES.expect(store().write(store().mode(), name, new Content(1, 64)), Status.INVALID);
        Content good = new Content(2, 64);
        store().store("good", good);
        store().holds(Rule.PER_OBJECT, "good", good);
    }

    /** Files cannot hold both; an object store may. */
    @Test
    default void anObjectIsNotADirectory() {
        Content parent = new Content(1, 400);
        Content child = new Content(2, 500);
        Content good = new Content(3, 600);
        store().store("a", parent);
        Outcomes written = store().transfer(Op.WRITE)
                .put("a/b", child)
                .put("good", good)
                .run()
                .item(1, Rule.PER_OBJECT, Status.DONE);
        if (written.status(0) == Status.DONE) {
            store().holds(NAMES, "a/b", child);
        } else {
            NAMES.check(store().offer().segments().contains(Segment.FILE_SEG), () -> "object store: " + written.get(0));
            store().absent(NAMES, "a/b", 500);
        }
        store().holds(NAMES, "a", parent);
        Outcomes reversed = store().transfer(Op.WRITE).put("d/e", child).run().all(NAMES, Status.DONE);
        NAMES.check(reversed.status(0) == Status.DONE, () -> reversed.get(0).toString());
        if (store().offer().segments().contains(Segment.FILE_SEG)) {
            store().absent(NAMES, "d", 500);
        }
        store().holds(NAMES, "d/e", child);
    }
}
