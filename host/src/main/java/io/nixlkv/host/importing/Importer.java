package io.nixlkv.host.importing;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Copies the objects of a plan into a store, batch by batch: what is there with equal length is skipped, the rest is stored, read back
 * and compared. One thread at a time.
 */
public final class Importer {
    private static final int MOST_OBJECTS = 256;
    private static final long BATCH_BYTES = 32L << 20;

    private final KvStore store;
    private final StoreSettings settings;
    private final boolean replace;
    private final boolean dryRun;

    private int copied;
    private long bytes;
    private int present;
    private final List<ImportFailure> failures = new ArrayList<>();

    /**
     * @param store open on {@code settings}, with an arena for twice {@link #batchObjects} objects of the largest length
     * @param replace whether an object of other length is replaced
     * @param dryRun whether nothing is written
     */
    public Importer(KvStore store, StoreSettings settings, boolean replace, boolean dryRun) {
        this.store = store;
        this.settings = settings;
        this.replace = replace;
        this.dryRun = dryRun;
    }

    /** How many objects of a plan one batch holds at most. */
    public static int batchObjects(ImportPlan plan) {
        long most = Math.min(MOST_OBJECTS, BATCH_BYTES / Math.max(1, plan.largest()));
        return (int) Math.max(1, Math.min(most, plan.objects()));
    }

    /**
     * Copies.
     *
     * @param done told, after each batch, how many objects are dealt with
     * @param stop asked before each batch; true ends the import early
     */
    public ImportReport run(ImportPlan plan, IntConsumer done, BooleanSupplier stop) {
        failures.addAll(plan.refused());
        int most = batchObjects(plan);
        int at = 0;
        while (at < plan.objects() && !stop.getAsBoolean()) {
            List<ImportPlan.Item> batch = next(plan.items(), at, most);
            at += batch.size();
            missing(batch);
            done.accept(at);
        }
        return new ImportReport(copied, bytes, present, failures, at < plan.objects());
    }

    /** The next items, as long as no key repeats: two files may be one object. */
    private static List<ImportPlan.Item> next(List<ImportPlan.Item> items, int from, int most) {
        Set<KvKey> keys = new HashSet<>();
        int end = from;
        while (end < items.size()
                && end - from < most
                && keys.add(items.get(end).key())) {
            end++;
        }
        return items.subList(from, end);
    }

    private void missing(List<ImportPlan.Item> batch) {
        BatchResult found = store.lookup(
                batch.stream().map(ImportPlan.Item::key).toList(),
                CallOptions.DEFAULT,
                batch.stream().mapToLong(item -> item.file().length()).toArray());
        List<ImportPlan.Item> missing = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            ImportPlan.Item item = batch.get(i);
            ObjectResult result = found.get(i);
            if (result.status() == Status.MISSING || replace && result.status() == Status.WRONG_SIZE) {
                missing.add(item);
            } else if (result.status() == Status.DONE) {
                present++;
            } else if (result.status() == Status.WRONG_SIZE) {
                failed(
                        item,
                        item.key() + " is there with " + result.storedLength() + " bytes and the file has "
                                + item.file().length() + "; --replace takes the file's");
            } else {
                failed(item, result.reason());
            }
        }
        if (dryRun) {
            missing.forEach(this::counted);
        } else if (!missing.isEmpty()) {
            copy(missing);
        }
    }

    private void copy(List<ImportPlan.Item> batch) {
        List<ArenaLease> leases = new ArrayList<>();
        try {
            List<ImportPlan.Item> readable = new ArrayList<>();
            List<KvObject> objects = new ArrayList<>();
            for (ImportPlan.Item item : batch) {
                ArenaLease lease = lease(item, leases);
                try {
                    read(item.file(), lease.buffer());
                } catch (IOException failed) {
                    failed(item, "it cannot be read: " + failed);
                    continue;
                }
                readable.add(item);
                objects.add(new KvObject(
                        item.key(), lease.slice(0, (int) item.file().length())));
            }
            if (!objects.isEmpty()) {
                CallOptions options = CallOptions.DEFAULT.with(Atomicity.PER_OBJECT);
                BatchResult stored = store.store(objects, replace ? options.with(Mode.REPLACE) : options);
                compare(readable, objects, stored, leases);
            }
        } finally {
            leases.forEach(ArenaLease::close);
        }
    }

    /** Reads back what was stored. */
    private void compare(
            List<ImportPlan.Item> items, List<KvObject> objects, BatchResult stored, List<ArenaLease> leases) {
        List<ImportPlan.Item> written = new ArrayList<>();
        List<ByteBuffer> expected = new ArrayList<>();
        List<ByteBuffer> actual = new ArrayList<>();
        List<KvObject> loads = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (!stored.get(i).ok()) {
                failed(items.get(i), stored.get(i).reason());
                continue;
            }
            ArenaLease lease = lease(items.get(i), leases);
            int length = objects.get(i).slice().length();
            written.add(items.get(i));
            expected.add(store.arena().buffer(objects.get(i).slice()));
            actual.add(lease.buffer().limit(length));
            loads.add(new KvObject(items.get(i).key(), lease.slice(0, length)));
        }
        if (loads.isEmpty()) {
            return;
        }
        BatchResult loaded = store.load(loads, CallOptions.DEFAULT);
        for (int i = 0; i < written.size(); i++) {
            if (!loaded.get(i).ok()) {
                String reason = loaded.get(i).reason();
                failed(
                        written.get(i),
                        reason.isEmpty() ? written.get(i).key() + " vanished after it was stored" : reason);
            } else if (!expected.get(i).equals(actual.get(i))) {
                failed(
                        written.get(i),
                        written.get(i).key()
                                + " reads back with other bytes than the file's; another process may write it,"
                                + " or the storage must not be trusted");
            } else {
                counted(written.get(i));
            }
        }
    }

    private void counted(ImportPlan.Item item) {
        copied++;
        bytes += item.file().length();
    }

    private void failed(ImportPlan.Item item, String reason) {
        failures.add(new ImportFailure(item.file().path().toString(), reason));
    }

    /** Room for one object, as it is padded; the arena was sized for a batch, so nothing is waited for. */
    private ArenaLease lease(ImportPlan.Item item, List<ArenaLease> leases) {
        long unit = Math.max(1, settings.l1AlignBytes());
        ArenaLease lease =
                store.arena().lease(Math.toIntExact((item.file().length() + unit - 1) / unit * unit), Duration.ZERO);
        leases.add(lease);
        return lease;
    }

    private static void read(SourceFile file, ByteBuffer target) throws IOException {
        ByteBuffer rest = target.limit((int) file.length());
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
            if (channel.size() != file.length()) {
                throw new IOException("it had " + file.length() + " bytes and now has " + channel.size()
                        + "; let its writer end and repeat");
            }
            while (rest.hasRemaining() && channel.read(rest) >= 0) {
                continue;
            }
        }
        if (rest.hasRemaining()) {
            throw new IOException("it became shorter while it was read; let its writer end and repeat");
        }
    }
}
