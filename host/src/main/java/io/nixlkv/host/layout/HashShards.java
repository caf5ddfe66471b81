package io.nixlkv.host.layout;

import io.nixlkv.api.ObjectKey;
import java.util.Optional;

/** LMCache's {@code shard_dirs}: names below {@code 00/11/}, the first two bytes of the chunk hash. */
final class HashShards {
    private static final int PREFIX_CHARS = 6;

    private HashShards() {}

    /** Appends the directories. @throws io.nixlkv.spi.StorageException INVALID if the hash is too short */
    static void write(String layout, ObjectKey key, NameBuffer out) {
        String hash = key.chunkHash();
        if (hash.length() < 4) {
            throw Refusal.of(
                    layout,
                    key.text(),
                    "shard_dirs needs a chunk hash of at least 2 bytes and this one has " + hash.length() / 2
                            + "; use longer hashes or shard_dirs = false");
        }
        out.ascii(hash, 0, 2).ascii('/').ascii(hash, 2, 4).ascii('/');
    }

    /** The name below the directories; empty if it is not below two of them. */
    static Optional<String> below(String name) {
        boolean sharded = name.length() >= PREFIX_CHARS
                && name.charAt(2) == '/'
                && name.charAt(5) == '/'
                && isHex(name, 0)
                && isHex(name, 3);
        return sharded ? Optional.of(name.substring(PREFIX_CHARS)) : Optional.empty();
    }

    /** Whether a name is below the directories of this hash. */
    static boolean isIn(String physicalName, String hash) {
        return hash.length() >= 4
                && physicalName.regionMatches(true, 0, hash, 0, 2)
                && physicalName.regionMatches(true, 3, hash, 2, 2);
    }

    private static boolean isHex(String name, int at) {
        return Character.digit(name.charAt(at), 16) >= 0 && Character.digit(name.charAt(at + 1), 16) >= 0;
    }
}
