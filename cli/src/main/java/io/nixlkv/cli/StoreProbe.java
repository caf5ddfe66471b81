package io.nixlkv.cli;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.layout.SampleKeys;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Writes, reads and deletes one object that nobody else can own. */
final class StoreProbe {
    private static final int BYTES = 64 << 10;

    private final KvStore store;
    private final KvKey key;
    private final Map<String, Double> millis = new LinkedHashMap<>();
    private String reason = "";

    private StoreProbe(KvStore store, StoreSettings settings) {
        this.store = store;
        String unique = UUID.randomUUID().toString().replace("-", "");
        key = new SampleKeys(settings).key("nixlkv-probe", 0, unique);
    }

    /**
     * What a probe found.
     *
     * @param key the object's key
     * @param bytes its length
     * @param millis duration of each finished step
     * @param reason what went wrong; empty if nothing did
     * @param full whether nothing was written, since the store would evict for it
     */
    record Outcome(String key, int bytes, Map<String, Double> millis, String reason, boolean full) {
        boolean ok() {
            return reason.isEmpty();
        }

        String text() {
            if (full) {
                return "full; nothing was written, since that would evict";
            }
            StringBuilder text = new StringBuilder(ok() ? "ok" : "failed");
            millis.forEach((step, took) -> text.append(String.format(Locale.ROOT, ", %s %.2f ms", step, took)));
            return text.toString();
        }

        Map<String, Object> document() {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("ok", ok());
            document.put("full", full);
            document.put("key", key);
            document.put("bytes", bytes);
            millis.forEach((step, took) -> document.put(step + "_ms", took));
            if (!ok()) {
                document.put("error", reason);
            }
            return document;
        }
    }

    /** @param usage of the store, without the probe */
    static Outcome run(KvStore store, HostConfig config, StoreUsage usage) {
        StoreSettings settings = config.store();
        int bytes = (int) Math.max(BYTES, settings.objectBytes() > ArenaNeed.SMALL ? BYTES : settings.objectBytes());
        StoreProbe probe = new StoreProbe(store, settings);
        boolean full = config.store().poolSize() > 0
                ? config.modes().poolEvicts() && FreeSlots.of(store.status()).count() == 0
                : config.modes().evicts()
                        && usage.capacity() > 0
                        && usage.bytes() + ArenaNeed.leased(settings, bytes) > usage.unevicted(config.modes());
        if (full) {
            probe.lookUp();
        } else {
            probe.run(bytes);
        }
        return new Outcome(probe.key.text(), bytes, probe.millis, probe.reason, full && probe.reason.isEmpty());
    }

    /** Asks for an object that is not there; that changes nothing. */
    private void lookUp() {
        step("lookup", () -> {
            ObjectResult found = store.lookup(List.of(key), CallOptions.DEFAULT).get(0);
            return found.status() == Status.MISSING ? new ObjectResult(Status.DONE, 0, "") : found;
        });
    }

    private void run(int bytes) {
        byte[] content = new byte[bytes];
        new Random(key.text().hashCode()).nextBytes(content);
        ByteBuffer read = ByteBuffer.allocate(bytes);
        try {
            if (step("write", () -> store.store(key, ByteBuffer.wrap(content), CallOptions.DEFAULT))) {
                if (step("read", () -> store.load(key, read, CallOptions.DEFAULT))
                        && !read.equals(ByteBuffer.wrap(content))) {
                    reason = "the bytes that were read differ from those written; the store must not be trusted";
                }
            }
        } finally {
            delete();
        }
    }

    /** Also after a failed write: one that timed out may yet have been done. */
    private void delete() {
        if (!store.status().details().getOrDefault("supports_delete", true).equals(true)) {
            return;
        }
        String before = reason;
        boolean deleted = step(
                "delete", () -> store.delete(List.of(key), CallOptions.DEFAULT).get(0));
        if (!deleted && !before.isEmpty()) {
            reason = before;
        }
    }

    private interface Step {
        ObjectResult run();
    }

    private boolean step(String name, Step step) {
        long start = System.nanoTime();
        ObjectResult result;
        try {
            result = step.run();
        } catch (StorageException refused) {
            reason = name + ": " + refused.getMessage();
            return false;
        }
        if (result.status() != Status.DONE) {
            reason = name + ": " + (result.reason().isEmpty() ? result.status() : result.reason());
            return false;
        }
        millis.put(name, Math.round((System.nanoTime() - start) / 1e4) / 100.0);
        return true;
    }
}
