package io.nixlkv.nativeio;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One NIXL agent with one backend, and the rules under which it may be used. One thread at a time. */
public final class NixlLane implements RequestLane {
    private static final int WORDS = 256;
    private static final int LISTING = 1 << 16;

    private final List<ByteBuffer> memory = new ArrayList<>();
    private long handle;

    NixlLane(long handle) {
        this.handle = handle;
    }

    /** Adds memory that transfers may touch, before {@link #open}. It must stay where it is until the lane is closed. */
    public void addMemory(ByteBuffer segment) {
        NixlCalls.laneMemory(handle, NativeIo.address(segment), segment.capacity());
        memory.add(segment);
    }

    /**
     * Its memory is that of a GPU, before any is added. The GPU's context is current in every call of NIXL.
     *
     * @throws CudaException if the GPU cannot be used
     */
    public void useDevice(CudaLibrary cuda, int number) {
        cuda.requireDevice(number);
        cuda.check(
                CudaException.Kind.UNUSABLE,
                NixlCalls.laneOnDevice(handle, cuda.handle(), number),
                "cuDevicePrimaryCtxRetain of GPU " + number,
                "");
    }

    /** Adds memory of the GPU of {@link #useDevice}. It must stay allocated until the lane is closed. */
    public void addDeviceMemory(long address, long bytes) {
        NixlCalls.laneMemory(handle, address, bytes);
    }

    /**
     * Makes the agent and its backend. May take as long as the plugin likes.
     *
     * @throws NixlException naming the call that NIXL refused; the lane is to be closed
     */
    public void open() {
        NativeText call = NativeText.room(WORDS);
        int code = NixlCalls.laneOpen(handle, call.address(), call.capacity());
        if (code != 0) {
            throw NixlException.of(call.read(), code);
        }
    }

    /** @throws NixlException if NIXL cannot open it */
    @Override
    public long keep(boolean direct, String path) {
        return kept((direct ? "rw,direct:" : "rw:") + path, path);
    }

    /**
     * Keeps an object's key registered until {@link #drop}.
     *
     * @return its device, for {@link TransferRequest#addKept}
     * @throws NixlException if NIXL refuses it
     */
    public long keepObject(String key) {
        return kept(key, key);
    }

    private long kept(String meta, String what) {
        try (NativeText text = NativeText.of(meta)) {
            long device = NixlCalls.laneKeep(handle, text.address());
            if (device < 0) {
                throw NixlException.of("register_mem of " + what, (int) device);
            }
            return device;
        }
    }

    @Override
    public void drop(long device) {
        NixlCalls.laneDrop(handle, device);
    }

    @Override
    public void files(TransferRequest request) {
        try {
            NixlCalls.files(handle, request.address());
        } finally {
            Reference.reachabilityFence(request);
            Reference.reachabilityFence(memory);
        }
    }

    /** Carries out a request on objects; the results are in it. When it returns, nothing touches the memory any more. */
    public void objects(TransferRequest request) {
        try {
            NixlCalls.objects(handle, request.address());
        } finally {
            Reference.reachabilityFence(request);
            Reference.reachabilityFence(memory);
        }
    }

    /** Whether a key is there. */
    public enum Presence {
        PRESENT,
        ABSENT,
        /** NIXL could not find out. */
        UNKNOWN
    }

    /** Asks for keys or bare paths, none of them empty. */
    public List<Presence> query(List<String> keys) {
        NativeText answers = NativeText.room(keys.size() + 1);
        try (NativeText asked = NativeText.list(keys)) {
            NixlCalls.query(handle, asked.address(), answers.address(), answers.capacity());
        }
        List<Presence> presences = new ArrayList<>(keys.size());
        for (char answer : answers.read().toCharArray()) {
            presences.add(answer == '1' ? Presence.PRESENT : answer == '0' ? Presence.ABSENT : Presence.UNKNOWN);
        }
        return presences;
    }

    /** Names of all plugins that NIXL sees, also of those that cannot be loaded. */
    public List<String> plugins() {
        NativeText names = NativeText.room(LISTING);
        NixlCalls.plugins(handle, names.address(), names.capacity());
        return names.read().lines().sorted().toList();
    }

    /**
     * What a plugin says of itself; loads it for the life of the process.
     *
     * @return its segments as numbers of {@code nixl_mem_t} on the first line, then its parameters as {@code key=value} lines;
     *     empty if NIXL cannot load it
     */
    public String describe(String plugin) {
        NativeText text = NativeText.room(LISTING);
        try (NativeText name = NativeText.of(plugin)) {
            NixlCalls.describe(handle, name.address(), text.address(), text.capacity());
        }
        return text.read();
    }

    /** Ends the agent. Idempotent. */
    @Override
    public void close() {
        if (handle != 0) {
            NixlCalls.laneClose(handle);
            handle = 0;
        }
    }
}
