package io.nixlkv.api;

/** Identity of a stored object. Immutable; equal keys name the same object. */
public sealed interface KvKey permits ObjectKey, EngineKey, PageKey, RawKey {
    /** The key as people write it, for instance on the command line; {@code toString} is the same. */
    String text();
}
