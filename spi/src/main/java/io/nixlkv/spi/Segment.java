package io.nixlkv.spi;

/** NIXL's memory and storage kinds, under NIXL's names and in the order of its {@code nixl_mem_t}. */
public enum Segment {
    /** Host memory. */
    DRAM_SEG,
    /** Device memory. */
    VRAM_SEG,
    /** Raw block devices. */
    BLK_SEG,
    /** Objects under a key. */
    OBJ_SEG,
    /** Files. */
    FILE_SEG
}
