package io.nixlkv.host.layout;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Layout {@code hicache}: the names of SGLang's NIXL connector. A file lies in one of 256 folders, a bucket of two hex digits; an
 * object of an object store has no bucket.
 *
 * <p>SGLang's routing ({@code nixl_routing.py}): the BLAKE2b hash of the name, 64 bits, big-endian; bits 0 to 7 are the bucket, and the
 * hash without its 16 lowest bits, modulo the number of directories, is the directory.
 *
 * <p>A key is the name itself. Where the store has a configured model, other models' names are refused and not listed; else any name
 * without {@code /} is taken, as in SGLang.
 */
final class HicacheLayout implements Layout {
    static final String ID = "hicache";

    private static final int BUCKET_CHARS = 3;

    private final Optional<PageNames> names;
    private final boolean buckets;
    private final NameRules rules;

    /**
     * @param names of the store's model; empty for any model
     * @param buckets whether objects are files
     */
    HicacheLayout(Optional<PageNames> names, boolean buckets, NameRules rules) {
        this.names = names;
        this.buckets = buckets;
        this.rules = rules;
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public void name(KvKey key, NameBuffer out) {
        out.clear();
        if (buckets) {
            out.ascii("00/");
        }
        int start = out.length();
        try {
            if (key instanceof PageKey page) {
                if (names.isPresent() && !names.get().isOfModel(page)) {
                    throw refusal(page.text(), "this store is for " + names.get() + "; open another store for it");
                }
                write(page, out);
            } else if (key instanceof RawKey raw) {
                requireOwn(raw);
                out.utf8(raw.name());
            } else {
                throw refusal(
                        key.text(),
                        "it takes SGLang's names (hash_model[_rank_size][_pool][_part]), not "
                                + key.getClass().getSimpleName() + "; use the layout of that kind of key");
            }
        } catch (IllegalArgumentException unencodable) {
            throw refusal(key.text(), "its text is not Unicode, " + unencodable.getMessage() + "; correct it");
        }
        rules.enforce(ID, key, out);
        if (buckets) {
            putBucket(out, start);
        }
    }

    private static void write(PageKey page, NameBuffer out) {
        out.ascii(page.pageHash()).ascii('_').utf8(page.model());
        if (page.tpSize() > 0) {
            out.ascii('_').decimal(page.tpRank()).ascii('_').decimal(page.tpSize());
        }
        if (!page.pool().isEmpty()) {
            out.ascii('_').ascii(page.pool());
        }
        if (!page.part().isEmpty()) {
            out.ascii('_').ascii(page.part());
        }
    }

    private void requireOwn(RawKey raw) {
        if (raw.name().indexOf('/') >= 0) {
            throw refusal(raw.name(), "its name has \"/\"; SGLang's names are those of files in one of 256 folders");
        }
        if (names.isPresent() && !rules.isShortened(raw.name())) {
            throw refusal(raw.name(), "this store is for " + names.get() + "; open another store for it");
        }
    }

    private static void putBucket(NameBuffer out, int start) {
        long hash = Blake2b.hash64(out.array(), start, out.length());
        out.array()[0] = (byte) Character.forDigit((int) (hash >> 4 & 0xf), 16);
        out.array()[1] = (byte) Character.forDigit((int) (hash & 0xf), 16);
    }

    @Override
    public KvKey parseKey(String text) {
        KvKey key;
        try {
            key = keyOf(text);
        } catch (IllegalArgumentException wrong) {
            throw refusal(text, wrong.getMessage());
        }
        name(key, new NameBuffer());
        return key;
    }

    /** @throws IllegalArgumentException if it is not a name of the store's model */
    private KvKey keyOf(String name) {
        if (rules.isShortened(name)) {
            return new RawKey(name);
        }
        if (names.isPresent()) {
            return names.get().parse(name);
        }
        try {
            return PageKey.parse(name);
        } catch (IllegalArgumentException notAPage) {
            return new RawKey(name);
        }
    }

    @Override
    public Optional<KvKey> parseName(String physicalName) {
        String name = physicalName;
        if (buckets) {
            if (name.length() <= BUCKET_CHARS || name.charAt(2) != '/') {
                return Optional.empty();
            }
            name = name.substring(BUCKET_CHARS);
        }
        NameBuffer again = new NameBuffer();
        try {
            KvKey key = keyOf(name);
            name(key, again);
            return again.toString().equals(physicalName) ? Optional.of(key) : Optional.empty();
        } catch (IllegalArgumentException | StorageException notOurs) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<Routing> routing() {
        int start = buckets ? BUCKET_CHARS : 0;
        return Optional.of((name, from, to, roots) -> root(Blake2b.hash64(name, from + start, to), roots));
    }

    /** SGLang's directory of a hash. */
    static int root(long hash, int roots) {
        return (int) ((hash >>> 16) % roots);
    }

    /** SGLang's routing hash of a name, bucket not included. */
    static long hash(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return Blake2b.hash64(bytes, 0, bytes.length);
    }

    private static StorageException refusal(String keyText, String rule) {
        return Refusal.of(ID, keyText, rule);
    }
}
