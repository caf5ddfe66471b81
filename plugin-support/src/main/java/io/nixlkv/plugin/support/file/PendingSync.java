package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Items of a durable batch that are done as soon as a directory or a pool is on stable storage: each is synced once. */
final class PendingSync {
    private sealed interface Target {
        void sync() throws IOException;

        Path path();
    }

    private record Entries(FileRoot root, Path path) implements Target {
        @Override
        public void sync() throws IOException {
            root.directories().sync(path);
        }
    }

    private record Slots(PoolFile file) implements Target {
        @Override
        public void sync() throws IOException {
            file.force();
        }

        @Override
        public Path path() {
            return file.path();
        }
    }

    private record Item(int index, Status status, long length) {}

    private final Map<Target, List<Item>> waiting = new LinkedHashMap<>();

    void addEntry(FileRoot root, Path object, int item, Status status, long length) {
        add(new Entries(root, object.getParent()), new Item(item, status, length));
    }

    void addSlot(PoolFile file, int item, long length) {
        add(new Slots(file), new Item(item, Status.DONE, length));
    }

    private void add(Target target, Item item) {
        waiting.computeIfAbsent(target, t -> new ArrayList<>()).add(item);
    }

    /** Syncs and completes everything. */
    void finish(TransferBatch batch, InterruptShield shield, TransferCounters counters) {
        waiting.forEach((target, items) -> {
            try {
                sync(target, batch.deadline(), shield);
                items.forEach(item -> batch.complete(item.index(), item.status(), item.length()));
            } catch (IOException failed) {
                FileFailure failure =
                        FileFailure.ofWriting(failed, target.path().toFile());
                String sentence = failure.sentence("cannot bring " + target.path() + " to stable storage");
                items.forEach(item -> {
                    counters.failed();
                    batch.fail(item.index(), failure.status(), failure.errno(), sentence);
                });
            }
        });
    }

    private static void sync(Target target, long deadline, InterruptShield shield) throws IOException {
        while (true) {
            try {
                target.sync();
                return;
            } catch (ClosedChannelException closed) {
                if (!shield.mayRetry(deadline)) {
                    throw closed;
                }
            }
        }
    }
}
