package io.nixlkv.nativeio;

import java.util.Optional;

/** 3FS's library for its user-space ring, loaded for the life of the process. Thread-safe. */
public final class UsrbioLibrary {
    /** File name of the library. */
    public static final String NAME = "libhf3fs_api_shared.so";

    /** System property that names the library's file; without it the loader looks for {@link #NAME}. */
    public static final String PROPERTY = "nixlkv.hf3fs.library";

    private static final int WORDS = 4096;

    private final long handle;

    private UsrbioLibrary(long handle) {
        this.handle = handle;
    }

    /**
     * Loads it.
     *
     * @throws IllegalStateException with the loader's words if it cannot be loaded
     */
    public static UsrbioLibrary open() {
        NativeIo.require();
        NativeText words = NativeText.room(WORDS);
        try (NativeText path = NativeText.of(System.getProperty(PROPERTY, NAME))) {
            long handle = UsrbioCalls.libraryOpen(path.address(), words.address(), words.capacity());
            if (handle == 0) {
                throw new IllegalStateException("3FS's library cannot be loaded: " + words.read());
            }
            return new UsrbioLibrary(handle);
        }
    }

    /** The mount point of 3FS that {@code path} is under, by the library's own account; empty if it is not on 3FS. */
    public Optional<String> mountOf(String path) {
        NativeText mount = NativeText.room(WORDS);
        try (NativeText asked = NativeText.of(path)) {
            boolean found = UsrbioCalls.mountOf(handle, asked.address(), mount.address(), mount.capacity());
            return found ? Optional.of(mount.read()) : Optional.empty();
        }
    }

    /**
     * A lane with rings of its own.
     *
     * @param entries transfers that a ring has room for
     * @throws NativeException naming what 3FS refuses
     */
    public UsrbioLane openLane(String mount, int entries) {
        long lane;
        try (NativeText place = NativeText.of(mount)) {
            lane = UsrbioCalls.laneNew(handle, place.address(), entries);
        }
        NativeText call = NativeText.room(WORDS);
        int errno = UsrbioCalls.laneOpen(lane, call.address(), call.capacity());
        if (errno != 0) {
            UsrbioCalls.laneClose(lane);
            throw new NativeException(call.read() + " on " + mount, errno);
        }
        return new UsrbioLane(lane);
    }
}
