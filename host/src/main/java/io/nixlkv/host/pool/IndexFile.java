package io.nixlkv.host.pool;

import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.UUID;

/**
 * The file {@code pool.index} of a state directory: a header page, then the {@link SlotRecords}. Little-endian; the header:
 *
 * <pre>
 *  0 long magic "nixlpool"   8 int version 1   12 int slots   16 int bytes of a slot   20 int roots
 * 24 UUID of the pool, which its labels repeat; changed when the contents are dropped
 * 40 UUID of the machine's start at which it was last opened   56 int 1 if all contents are on stable storage
 * 60 int layout of the slots: 0 slab, 1 files
 * </pre>
 *
 * The blocks are allocated when the file is made, so that no full disk can strike a mapped page later.
 */
final class IndexFile {
    private static final long MAGIC = 0x6c6f6f706c78696eL;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 4096;
    private static final int BLOCK = 4 << 20;
    private static final int SHAPE = 12;
    private static final int POOL = 24;
    private static final int BOOT = 40;
    private static final int DURABLE = 56;
    private static final int LAYOUT = 60;
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path path;
    private final MappedByteBuffer header;
    private final SlotRecords records;
    private final boolean made;

    private IndexFile(Path path, MappedByteBuffer header, SlotRecords records, boolean made) {
        this.path = path;
        this.header = header;
        this.records = records;
        this.made = made;
    }

    /** @throws StorageException INVALID if it is not an index of this shape */
    static IndexFile open(Path directory, PoolShape shape) throws IOException {
        Path path = directory.resolve("pool.index");
        long bytes = HEADER_BYTES + (long) shape.slots() * SlotRecords.RECORD_BYTES;
        boolean made = !Files.exists(path);
        if (made) {
            make(path, shape, bytes);
        }
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() < HEADER_BYTES) {
                throw refused(path, "is cut short");
            }
            MappedByteBuffer header = file.map(FileChannel.MapMode.READ_WRITE, 0, HEADER_BYTES);
            header.order(ByteOrder.LITTLE_ENDIAN);
            if (header.getLong(0) != MAGIC || header.getInt(8) != VERSION) {
                throw refused(path, "is not an index of this version");
            }
            int slots = header.getInt(SHAPE);
            int slotBytes = header.getInt(SHAPE + 4);
            int roots = header.getInt(SHAPE + 8);
            if (slots != shape.slots() || slotBytes != shape.slotBytes() || roots != shape.roots()) {
                throw refused(
                        path,
                        "was made for (pool_size, slot_bytes, directories) = (" + slots + ", " + slotBytes + ", "
                                + roots + "), wanted are (" + shape.slots() + ", " + shape.slotBytes() + ", "
                                + shape.roots() + ")");
            }
            PoolLayout other = shape.layout() == PoolLayout.SLAB ? PoolLayout.FILES : PoolLayout.SLAB;
            if (header.getInt(LAYOUT) != code(shape.layout())) {
                throw refused(
                        path, "was made with pool_layout = " + quoted(other) + ", wanted is " + quoted(shape.layout()));
            }
            if (file.size() != bytes) {
                throw refused(path, "has " + file.size() + " bytes instead of " + bytes);
            }
            return new IndexFile(path, header, new SlotRecords(file, HEADER_BYTES, slots), made);
        }
    }

    private static int code(PoolLayout layout) {
        return switch (layout) {
            case SLAB -> 0;
            case FILES -> 1;
        };
    }

    private static String quoted(PoolLayout layout) {
        return '"' + layout.name().toLowerCase(Locale.ROOT) + '"';
    }

    private static StorageException refused(Path path, String why) {
        return new StorageException(
                Status.INVALID,
                "the pool index " + path + " " + why
                        + "; use the pool as it was made, another state_dir, or delete the index to start empty");
    }

    private static void make(Path path, PoolShape shape, long bytes) throws IOException {
        Path half = path.resolveSibling("pool.index.new");
        Files.deleteIfExists(half);
        long free = Files.getFileStore(path.getParent()).getUsableSpace();
        if (bytes > free) {
            throw new StorageException(
                    Status.NO_SPACE,
                    "the index of the static pool needs " + bytes + " bytes for pool_size = " + shape.slots() + ", and "
                            + free + " are free in " + path.getParent()
                            + "; make pool_size smaller or choose another state_dir");
        }
        try {
            try (FileChannel file = FileChannel.open(half, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(BLOCK, bytes));
                for (long at = 0; at < bytes; ) {
                    zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
                    at += file.write(zeros, at);
                }
                ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
                header.putLong(0, MAGIC)
                        .putInt(8, VERSION)
                        .putInt(SHAPE, shape.slots())
                        .putInt(SHAPE + 4, shape.slotBytes())
                        .putInt(SHAPE + 8, shape.roots())
                        .putInt(LAYOUT, code(shape.layout()));
                put(header, POOL, UUID.randomUUID());
                for (long at = 0; header.hasRemaining(); ) {
                    at += file.write(header, at);
                }
                file.force(true);
            }
            Files.move(half, path, StandardCopyOption.ATOMIC_MOVE);
            force(path.getParent());
        } finally {
            Files.deleteIfExists(half);
        }
    }

    /** Makes a directory; its name, and those of the parents that it made, are on stable storage. */
    static void makeDirectory(Path directory) throws IOException {
        Path made = directory.toAbsolutePath();
        if (!Files.isDirectory(made)) {
            if (made.getParent() != null) {
                makeDirectory(made.getParent());
            }
            Files.createDirectories(made);
            force(made.getParent());
        }
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }

    Path path() {
        return path;
    }

    SlotRecords records() {
        return records;
    }

    /** Whether this opening made it. */
    boolean made() {
        return made;
    }

    UUID pool() {
        return get(POOL);
    }

    /** A new identity for a pool without contents. The old records must be gone before: none may ever be found under it. */
    void pool(UUID id, boolean durable) {
        records.force();
        put(header, POOL, id);
        header.putInt(DURABLE, durable ? 1 : 0);
        header.force();
    }

    /** Whether the machine was started anew since it was last opened. */
    boolean isOfEarlierBoot() throws IOException {
        return !made && !get(BOOT).equals(boot());
    }

    boolean durable() {
        return header.getInt(DURABLE) == 1;
    }

    /**
     * Notes by whom it is opened: in which life of the machine, and whether everything in it is on stable storage. What the opening
     * dropped is gone there before: a power cut must not bring it back.
     */
    void opened(boolean durable) throws IOException {
        if (durable) {
            records.force();
        }
        put(header, BOOT, boot());
        header.putInt(DURABLE, durable ? 1 : 0);
        header.force();
    }

    private static UUID boot() throws IOException {
        return Files.isReadable(BOOT_ID)
                ? UUID.fromString(Files.readString(BOOT_ID).strip())
                : new UUID(0, 0);
    }

    private static void put(ByteBuffer header, int at, UUID id) {
        header.putLong(at, id.getMostSignificantBits()).putLong(at + 8, id.getLeastSignificantBits());
    }

    private UUID get(int at) {
        return new UUID(header.getLong(at), header.getLong(at + 8));
    }
}
