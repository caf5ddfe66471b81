package io.nixlkv.host.cleaner;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.host.presence.DigestTable;
import io.nixlkv.host.presence.Digester;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The objects of a store by group, in primitive arrays: about 130 bytes a file. At its limit of files it forgets every other group,
 * chosen by the group's digest, and is a fair sample of whole groups from then on; the sums stay those of all files. Not thread-safe.
 */
final class Inventory {
    /** Who writes what it finds into one. */
    record Folder(int root, String prefix) {}

    private static final int SMALLEST = 1024;

    /** A time stamp this far ahead of the clock comes from a clock that was wrong. */
    private static final long AHEAD_MILLIS = 5 * 60_000;

    private final Digester digester = new Digester();
    private final List<Folder> folders = new ArrayList<>();
    private final int limit;
    private final long[] bytesOfRoot;
    private Tables tables = new Tables();
    private long mask;
    private long files;
    private long bytes;
    private long keptBytes;

    /** @param limit files that it remembers, at most */
    Inventory(int roots, int limit) {
        this.limit = limit;
        bytesOfRoot = new long[roots];
    }

    private static final class Tables {
        private final DigestTable ids = new DigestTable();
        private int groups;
        private int files;
        private int nameBytes;
        private long[] digests = new long[2 * SMALLEST];
        private long[] uses = new long[SMALLEST];
        private int[] first = new int[SMALLEST];
        private int[] next = new int[SMALLEST];
        private int[] folder = new int[SMALLEST];
        private int[] nameEnd = new int[SMALLEST];
        private long[] size = new long[SMALLEST];
        private long[] used = new long[SMALLEST];
        private byte[] names = new byte[64 * SMALLEST];

        void add(long high, long low, int inFolder, byte[] name, int from, int to, long bytes, long lastUse) {
            grow(to - from);
            int group = ids.get(high, low);
            if (group == DigestTable.NONE) {
                group = groups++;
                ids.put(high, low, group);
                digests[2 * group] = high;
                digests[2 * group + 1] = low;
                uses[group] = lastUse;
                first[group] = -1;
            }
            uses[group] = Math.max(uses[group], lastUse);
            next[files] = first[group];
            first[group] = files;
            folder[files] = inFolder;
            size[files] = bytes;
            used[files] = lastUse;
            System.arraycopy(name, from, names, nameBytes, to - from);
            nameBytes += to - from;
            nameEnd[files++] = nameBytes;
        }

        private void grow(int more) {
            if (groups == uses.length) {
                int length = groups + groups / 2;
                digests = Arrays.copyOf(digests, 2 * length);
                uses = Arrays.copyOf(uses, length);
                first = Arrays.copyOf(first, length);
            }
            if (files == next.length) {
                int length = files + files / 2;
                next = Arrays.copyOf(next, length);
                folder = Arrays.copyOf(folder, length);
                nameEnd = Arrays.copyOf(nameEnd, length);
                size = Arrays.copyOf(size, length);
                used = Arrays.copyOf(used, length);
            }
            if (nameBytes + more > names.length) {
                names = Arrays.copyOf(names, Math.max(nameBytes + more, names.length + names.length / 2));
            }
        }

        int nameStart(int file) {
            return file == 0 ? 0 : nameEnd[file - 1];
        }
    }

    /** Announces a folder; its number. */
    int folder(int root, String prefix) {
        folders.add(new Folder(root, prefix));
        return folders.size() - 1;
    }

    /** @param bytes as they take space */
    void add(int folder, String name, String group, long size, long lastUse) {
        files++;
        bytes += size;
        bytesOfRoot[folders.get(folder).root()] += size;
        byte[] text = group.getBytes(StandardCharsets.UTF_8);
        HashValue128 digest = digester.of(text, 0, text.length);
        long low = digest.getLeastSignificantBits();
        if ((low & mask) == 0 && tables.files == limit) {
            thin();
        }
        if ((low & mask) == 0 && tables.files < limit) {
            byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
            tables.add(digest.getMostSignificantBits(), low, folder, encoded, 0, encoded.length, size, lastUse);
            keptBytes += size;
        }
    }

    private void thin() {
        mask = mask << 1 | 1;
        Tables all = tables;
        tables = new Tables();
        keptBytes = 0;
        for (int group = 0; group < all.groups; group++) {
            long low = all.digests[2 * group + 1];
            for (int file = (low & mask) == 0 ? all.first[group] : -1; file >= 0; file = all.next[file]) {
                tables.add(
                        all.digests[2 * group],
                        low,
                        all.folder[file],
                        all.names,
                        all.nameStart(file),
                        all.nameEnd[file],
                        all.size[file],
                        all.used[file]);
                keptBytes += all.size[file];
            }
        }
    }

    /** Files that were added. */
    long files() {
        return files;
    }

    /** Their bytes. */
    long bytes() {
        return bytes;
    }

    long bytesOfRoot(int root) {
        return bytesOfRoot[root];
    }

    /** Share of the bytes that is remembered, 0 to 1. */
    double share() {
        return bytes == 0 ? 1 : (double) keptBytes / bytes;
    }

    int groups() {
        return tables.groups;
    }

    /**
     * The groups, the one not used for longest first. What claims to be used in the future comes before all others: its clock was
     * wrong, and nothing else would ever make it go.
     */
    int[] oldestFirst(long nowMillis) {
        long[] rank = new long[tables.groups];
        for (int group = 0; group < rank.length; group++) {
            long use = tables.uses[group];
            rank[group] = use > nowMillis + AHEAD_MILLIS ? use - Long.MAX_VALUE : use;
        }
        return IntStream.range(0, rank.length)
                .boxed()
                .sorted((a, b) -> Long.compare(rank[a], rank[b]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The first file of a group, or {@code -1}. */
    int firstOf(int group) {
        return tables.first[group];
    }

    /** The next file of the same group, or {@code -1}. */
    int nextOf(int file) {
        return tables.next[file];
    }

    Folder folderOf(int file) {
        return folders.get(tables.folder[file]);
    }

    /** Its name in its folder. */
    String nameOf(int file) {
        int start = tables.nameStart(file);
        return new String(tables.names, start, tables.nameEnd[file] - start, StandardCharsets.UTF_8);
    }

    long bytesOf(int file) {
        return tables.size[file];
    }

    long lastUseOf(int file) {
        return tables.used[file];
    }
}
