package io.nixlkv.spi;

/** The versions by which a host and a plugin recognise each other. */
public final class SpiVersion {
    /**
     * Version of this package. A plugin jar states the range it accepts in its manifest ({@code Plugin-Requires: ^0.1.0});
     * the host refuses any other by name, before a class of the plugin is loaded.
     */
    public static final String CURRENT = "0.1.0";

    /** Version of the packed form of {@link PackedBatch}; native code compares it before it reads anything else. */
    public static final int PACKED_ABI = 1;

    private SpiVersion() {}
}
