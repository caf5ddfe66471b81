package io.nixlkv.host.presence;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.nixlkv.host.layout.NameBuffer;
import java.security.SecureRandom;

/**
 * Digests of object names, 128 bits of XXH3 under a seed of this object's own: two names meet by chance only, and nobody outside
 * can prepare names that do. Digests of different digesters do not compare. Thread-safe.
 */
public final class Digester {
    private final Hasher128 hasher = Hashing.xxh3_128(new SecureRandom().nextLong());

    /** The digest of a name. */
    public HashValue128 of(NameBuffer name) {
        return of(name.array(), 0, name.length());
    }

    /** The digest of {@code length} bytes from {@code from}. */
    public HashValue128 of(byte[] name, int from, int length) {
        return hasher.hashBytesTo128Bits(name, from, length);
    }
}
