package io.nixlkv.plugin.support.nixl;

import io.nixlkv.spi.SlotPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Slots that are objects, each under a key of its own: eight hexadecimal digits of its number, then 24 that belong to the pool's name
 * and to this machine, since a pool has one owner and machines share a store. A slot exists from its first write on.
 */
final class NixlObjectPool implements SlotPool {
    private static final Path MACHINE = Path.of("/etc/machine-id");
    private static final int OWNER_BYTES = 12;

    private final NixlObjectBackend backend;
    private final String keys;
    private final String owner;
    private final int count;
    private final int slotBytes;
    private volatile boolean closed;

    /** @param keys put before the digits of every slot */
    NixlObjectPool(NixlObjectBackend backend, String keys, String name, int count, int slotBytes) {
        this.backend = backend;
        this.keys = keys;
        this.count = count;
        this.slotBytes = slotBytes;
        owner = owner(name);
    }

    private static String owner(String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest((host() + "\n" + machine() + "\n" + name).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, OWNER_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "";
        }
    }

    private static String machine() {
        try {
            return Files.readString(MACHINE).strip();
        } catch (IOException none) {
            return "";
        }
    }

    /** The key of a slot. */
    String key(int slot) {
        return keys + HexFormat.of().toHexDigits(slot) + owner;
    }

    boolean belongsTo(NixlObjectBackend other) {
        return backend == other;
    }

    boolean isOpen() {
        return !closed;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int slotBytes() {
        return slotBytes;
    }

    @Override
    public void close() {
        closed = true;
    }
}
