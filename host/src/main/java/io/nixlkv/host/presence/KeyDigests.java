package io.nixlkv.host.presence;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.KvKey;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.NameBuffer;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.function.IntFunction;

/** Digests of keys by their physical names. Thread-safe. */
public final class KeyDigests {
    private final Layout layout;
    private final Digester digester = new Digester();

    /** @param layout names the keys */
    public KeyDigests(Layout layout) {
        this.layout = layout;
    }

    /** The digest of one key. @throws StorageException INVALID if the layout refuses it */
    public HashValue128 of(KvKey key) {
        NameBuffer name = new NameBuffer();
        layout.name(key, name);
        return digester.of(name);
    }

    /**
     * The digests of a batch.
     *
     * @throws StorageException INVALID for an empty batch, a key given twice, or a name that the layout refuses
     */
    public HashValue128[] of(int size, IntFunction<? extends KvKey> key) {
        if (size == 0) {
            throw new StorageException(Status.INVALID, "the batch is empty");
        }
        HashValue128[] digests = new HashValue128[size];
        DigestTable seen = new DigestTable(size);
        NameBuffer name = new NameBuffer();
        for (int i = 0; i < size; i++) {
            KvKey present = key.apply(i);
            layout.name(present, name);
            HashValue128 digest = digester.of(name);
            digests[i] = digest;
            if (seen.put(digest.getMostSignificantBits(), digest.getLeastSignificantBits(), i) != DigestTable.NONE) {
                throw new StorageException(
                        Status.INVALID, "key " + present + " is twice in the batch (second time at index " + i + ")");
            }
        }
        return digests;
    }

    /** {@link #of(int, IntFunction)} of a list. */
    public HashValue128[] of(List<? extends KvKey> keys) {
        return of(keys.size(), keys::get);
    }
}
