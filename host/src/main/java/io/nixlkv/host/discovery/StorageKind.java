package io.nixlkv.host.discovery;

/** What a store keeps its values in. */
public enum StorageKind {
    /** Files ({@code FILE_SEG}). */
    FILE,
    /** Objects under a key ({@code OBJ_SEG}). */
    OBJECT
}
