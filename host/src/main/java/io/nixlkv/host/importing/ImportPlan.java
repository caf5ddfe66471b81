package io.nixlkv.host.importing;

import io.nixlkv.api.KvKey;
import io.nixlkv.host.config.LayoutSettings;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.layout.NameBuffer;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What an import is to copy. Made by looking at names and lengths only; nothing is opened or written. Immutable. */
public final class ImportPlan {
    /** One object to copy. */
    record Item(SourceFile file, KvKey key) {}

    private final String from;
    private final String to;
    private final List<Item> items;
    private final List<ImportFailure> refused;
    private final int foreign;
    private final long bytes;
    private final long largest;

    private ImportPlan(String from, String to, List<Item> items, List<ImportFailure> refused, int foreign) {
        this.from = from;
        this.to = to;
        this.items = List.copyOf(items);
        this.refused = List.copyOf(refused);
        this.foreign = foreign;
        bytes = items.stream().mapToLong(item -> item.file().length()).sum();
        largest = items.stream().mapToLong(item -> item.file().length()).max().orElse(0);
    }

    /**
     * Looks at the files of some directories.
     *
     * @param fromLayout layout of their names; empty for the target's
     * @param sourceModel the source's one model, for layouts whose names do not hold it; empty for the target's
     * @param target settings of the store to import into
     * @param files whether that store keeps objects as files
     * @param stop asked now and then; true ends the look early
     * @throws StorageException INVALID, with the reason, if objects would lose their identity, or if a directory cannot be read
     */
    public static ImportPlan of(
            List<Path> directories,
            String fromLayout,
            String sourceModel,
            StoreSettings target,
            boolean files,
            BooleanSupplier stop) {
        String to = target.layout();
        String from = fromLayout.isEmpty() ? to : fromLayout.toLowerCase(Locale.ROOT);
        LayoutSettings source = sourceModel.isEmpty()
                ? target.layoutSettings()
                : target.layoutSettings().withModel(sourceModel);
        KeyTranslation translation = KeyTranslation.of(from, to, source);
        Layout layout = Layouts.of(target, files);
        NameBuffer name = new NameBuffer();
        List<Item> items = new ArrayList<>();
        List<ImportFailure> refused = new ArrayList<>();
        int foreign = 0;
        for (SourceFile file : SourceDirectories.find(directories, stop)) {
            try {
                Optional<KvKey> key = translation.key(file.name());
                if (key.isEmpty()) {
                    foreign++;
                    continue;
                }
                layout.name(key.get(), name);
                if (file.length() > Capabilities.MAX_OBJECT_BYTES) {
                    refused.add(new ImportFailure(
                            file.path().toString(),
                            "it has " + file.length() + " bytes; objects have at most "
                                    + Capabilities.MAX_OBJECT_BYTES));
                    continue;
                }
                items.add(new Item(file, key.get()));
            } catch (StorageException notThere) {
                refused.add(new ImportFailure(file.path().toString(), notThere.getMessage()));
            }
        }
        return new ImportPlan(from, to, items, refused, foreign);
    }

    /** Layout of the source's names. */
    public String from() {
        return from;
    }

    /** Layout of the target. */
    public String to() {
        return to;
    }

    /** Number of objects to copy. */
    public int objects() {
        return items.size();
    }

    /** Bytes of the objects to copy. */
    public long bytes() {
        return bytes;
    }

    /** Bytes of the largest object to copy; 0 if there is none. */
    public long largest() {
        return largest;
    }

    /** Files whose name is not one of the source's layout; they stay behind. */
    public int foreign() {
        return foreign;
    }

    /** Files that cannot be objects of the target, and why. */
    public List<ImportFailure> refused() {
        return refused;
    }

    List<Item> items() {
        return items;
    }
}
