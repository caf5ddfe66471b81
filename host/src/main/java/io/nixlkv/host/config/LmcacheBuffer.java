package io.nixlkv.host.config;

import static io.nixlkv.host.config.LmcacheValues.isTrue;
import static io.nixlkv.host.config.LmcacheValues.text;
import static io.nixlkv.host.config.LmcacheValues.written;

import io.nixlkv.host.config.document.Node.Entry;
import java.util.Locale;
import java.util.Optional;

/** What an LMCache file says about the memory for transfers. */
final class LmcacheBuffer {
    private static final String DEVICE = "nixl_buffer_device";
    private static final String SIZE = "nixl_buffer_size";
    private static final String PAGES = "local_cpu_use_hugepages";
    private static final String OLD_PAGES = "nixl_use_hugepages";
    private static final String P2P = "enable_p2p";

    private final LmcacheValues values;
    private final RawConfigBuilder raw;
    private boolean right = true;

    private LmcacheBuffer(LmcacheValues values) {
        this.values = values;
        raw = values.raw();
    }

    /** @param backend NIXL name; empty if it is not known */
    static void read(LmcacheValues values, Optional<String> backend) {
        LmcacheBuffer buffer = new LmcacheBuffer(values);
        boolean gpu = buffer.device(backend);
        boolean sized = buffer.size(gpu);
        if (gpu && sized && buffer.right) {
            buffer.raw.store(HostKeys.BUFFER_DEVICE, values.top(DEVICE).orElseThrow(), DEVICE);
            buffer.raw.store(HostKeys.BUFFER_BYTES, values.top(SIZE).orElseThrow(), SIZE);
        }
        buffer.pages(gpu);
        buffer.peers(gpu);
        values.top("max_local_cpu_size").ifPresent(entry -> buffer.raw.store("arena_gb", entry, "max_local_cpu_size"));
        Optional<Entry> keep = values.top("local_cpu");
        values.flag(keep, "local_cpu").ifPresent(right -> buffer.raw.store("local_cpu", keep.get(), "local_cpu"));
        values.flag(values.top("enable_async_loading"), "enable_async_loading");
    }

    private boolean device(Optional<String> backend) {
        Optional<Entry> entry = values.top(DEVICE);
        if (entry.isEmpty()) {
            raw.problem(values.begin(), DEVICE, "is required: cpu, or cuda or cuda:N for memory of a GPU");
            return false;
        }
        String device = text(entry).orElse("").toLowerCase(Locale.ROOT);
        if (device.equals("cpu")) {
            return false;
        }
        Origin origin = entry.get().origin();
        if (!device.matches("cuda(:\\d{1,4})?")) {
            raw.problem(origin, DEVICE, "must be cpu, cuda or cuda:N");
            return false;
        }
        if (backend.isPresent() && !LmcacheKeys.DEVICE_BACKENDS.contains(backend.get())) {
            raw.problem(origin, DEVICE, "must be cpu with backend " + backend.get());
            right = false;
        }
        return true;
    }

    /** Whether there is one, and it is right. */
    private boolean size(boolean gpu) {
        Optional<Entry> entry = values.top(SIZE);
        if (entry.isPresent() && !gpu) {
            raw.problem(
                    entry.get().origin(),
                    SIZE,
                    "is only for memory of a GPU; with " + DEVICE + ": cpu remove it and set max_local_cpu_size");
        } else if (entry.isEmpty() && gpu) {
            raw.problem(values.begin(), SIZE, "is required when " + DEVICE + " is a GPU");
        } else {
            return values.whole(entry, SIZE, 1).isPresent();
        }
        return false;
    }

    private void pages(boolean gpu) {
        Optional<Entry> pages = values.top(PAGES);
        Optional<Entry> old = values.inside(OLD_PAGES);
        pages.filter(entry -> !gpu).ifPresent(entry -> raw.store("hugepages", entry, PAGES));
        if (old.isEmpty()) {
            return;
        }
        Origin origin = old.get().origin();
        if (gpu) {
            raw.warning(origin, written(OLD_PAGES), "is an old name and has no effect with memory of a GPU");
            return;
        }
        raw.warning(origin, written(OLD_PAGES), "is an old name; write " + PAGES + " outside of extra_config");
        if (pages.isEmpty()) {
            raw.store("hugepages", old.get(), written(OLD_PAGES));
        } else if (isTrue(pages) != isTrue(old)) {
            raw.problem(
                    origin,
                    written(OLD_PAGES),
                    "contradicts " + PAGES + " (" + pages.get().origin() + "); keep " + PAGES);
        }
    }

    private void peers(boolean gpu) {
        Optional<Entry> peers = values.top(P2P);
        if (values.flag(peers, P2P).orElse(false)) {
            if (!gpu) {
                raw.problem(peers.get().origin(), P2P, "must be false with " + DEVICE + ": cpu");
            } else {
                raw.problem(peers.get().origin(), P2P, "is not supported yet; write false");
            }
        }
    }
}
