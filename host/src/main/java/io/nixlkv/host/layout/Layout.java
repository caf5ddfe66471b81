package io.nixlkv.host.layout;

import io.nixlkv.api.KvKey;
import io.nixlkv.spi.StorageException;
import java.util.Optional;

/**
 * How keys are named in a store. Immutable and thread-safe; no I/O.
 *
 * <p>A name that a layout gives is relative, in UTF-8, its parts separated by {@code /}; no part is empty, {@code .}, {@code ..},
 * longer than 255 bytes or holds a control character, so a name never leaves the store's directory.
 *
 * <p>Different keys share a name only where the peer whose layout it is lets them; a store then has one configured model. A listed
 * name that does not tell its key is a {@link io.nixlkv.api.RawKey}, which {@link #name} takes back.
 */
public interface Layout {

    /** The layout's name in the configuration, such as {@code lmcache}. */
    String id();

    /**
     * Replaces the content of {@code out} by the physical name of {@code key}. Allocates only when {@code out} has to grow.
     *
     * @throws StorageException with status INVALID if the key is of another kind or the layout refuses its name; {@code out} is
     *     undefined then
     */
    void name(KvKey key, NameBuffer out);

    /**
     * The key that a person wrote, for instance on the command line. What it returns, {@link #name} accepts.
     *
     * @throws StorageException with status INVALID if it is not a key of this layout
     */
    KvKey parseKey(String text);

    /** The key of a listed physical name; empty if the name is not one of this layout. */
    Optional<KvKey> parseName(String physicalName);

    /** The peer's own rule for spreading objects over several directories; empty where it has none. */
    default Optional<Routing> routing() {
        return Optional.empty();
    }

    /** Whether {@code shard_dirs} means something here. */
    default boolean canBeSharded() {
        return false;
    }

    /** Whether a listed name is one of this layout with the other value of {@code shard_dirs}, and so invisible here. */
    default boolean isOfOtherSharding(String physicalName) {
        return false;
    }

    /** Whether direct transfers are padded to {@code l1_align_bytes}, as LMCache's adapters do. */
    default boolean padsDirectTransfers() {
        return false;
    }
}
