package io.nixlkv.host.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.spi.Status;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Meters of Micrometer over a store's {@code status}, under NIXL's series names where NIXL has such a series. Nothing is measured
 * twice: a meter reads the store's own sums when it is asked, at most once a second. Needs Micrometer on the application's class
 * path; nothing else here does. Thread-safe.
 */
public final class StoreMeters implements MeterBinder {
    private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final List<String> CALLS = List.of("store", "load", "lookup", "delete");

    /** Details of {@code status} that are sums, by the names of their meters. */
    private static final Map<String, String> SUMS = Map.of(
            "nixlkv.local.cpu.hits", "local_cpu_hits",
            "nixlkv.local.cpu.misses", "local_cpu_misses",
            "nixlkv.evicted.objects", "evicted_objects",
            "nixlkv.evicted.bytes", "evicted_bytes",
            "nixlkv.slots.evicted", "slots_evicted");

    /** Details of {@code status} that go up and down. */
    private static final Map<String, String> LEVELS = Map.of(
            "nixlkv.arena.bytes", "arena_bytes",
            "nixlkv.arena.free.bytes", "arena_free_bytes",
            "nixlkv.local.cpu.bytes", "local_cpu_bytes",
            "nixlkv.local.cpu.entries", "local_cpu_entries",
            "nixlkv.used.bytes", "used_bytes",
            "nixlkv.slots.used", "slots_used");

    private final KvStore store;
    private final Tags tags;
    /** The registry refers to them weakly; it keeps this object by its gauges. */
    private final List<Reading> readings = new CopyOnWriteArrayList<>();

    private StoreStatus last;
    private long readAt;

    /**
     * @param store as a {@code KvHost} opened it; kept as long as the registry keeps the meters
     * @param tags of every meter, to tell several stores apart
     */
    public StoreMeters(KvStore store, Tags tags) {
        this.store = store;
        this.tags = tags;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "agent.tx.bytes", tags, "Bytes stored.", () -> total("store", "bytes"));
        counter(registry, "agent.rx.bytes", tags, "Bytes loaded.", () -> total("load", "bytes"));
        counter(registry, "agent.tx.requests.num", tags, "Calls that stored.", () -> total("store", "calls"));
        counter(registry, "agent.rx.requests.num", tags, "Calls that loaded.", () -> total("load", "calls"));
        counter(
                registry,
                "agent.xfer.time",
                tags,
                "Microseconds of calls that stored or loaded.",
                () -> total("store", "micros") + total("load", "micros"));
        for (Status status : Status.values()) {
            String word = status.name().toLowerCase(Locale.ROOT);
            if (!status.stored() && status != Status.MISSING) {
                counter(
                        registry,
                        "agent.errors",
                        tags.and("status", word),
                        "Objects that failed, by reason.",
                        () -> CALLS.stream()
                                .mapToDouble(call -> total(call, word))
                                .sum());
            }
        }
        for (String call : CALLS) {
            FunctionTimer.builder(
                            "nixlkv.calls",
                            this,
                            meters -> (long) meters.total(call, "calls"),
                            meters -> meters.total(call, "micros"),
                            TimeUnit.MICROSECONDS)
                    .tags(tags.and("call", call))
                    .description("Calls and the time they took.")
                    .register(registry);
            for (String result : List.of("done", "already_present", "missing")) {
                counter(
                        registry,
                        "nixlkv.objects",
                        tags.and("call", call, "result", result),
                        "Objects, by how they ended.",
                        () -> total(call, result));
            }
        }
        SUMS.forEach((name, detail) -> {
            if (has(detail)) {
                counter(registry, name, tags, "See " + detail + " of status.", () -> detail(detail));
            }
        });
        LEVELS.forEach((name, detail) -> {
            if (has(detail)) {
                gauge(registry, name, "See " + detail + " of status.", () -> detail(detail));
            }
        });
        gauge(registry, "nixlkv.healthy", "1 if the store works.", () -> status().healthy() ? 1 : 0);
    }

    private interface Reading {
        double now();
    }

    private void counter(MeterRegistry registry, String name, Tags with, String meaning, Reading reading) {
        readings.add(reading);
        FunctionCounter.builder(name, reading, Reading::now)
                .tags(with)
                .description(meaning)
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String name, String meaning, Reading reading) {
        Gauge.builder(name, reading, Reading::now)
                .tags(tags)
                .description(meaning)
                .strongReference(true)
                .register(registry);
    }

    private synchronized StoreStatus status() {
        long now = System.nanoTime();
        if (last == null || now - readAt > KEEP_NANOS) {
            last = store.status();
            readAt = now;
        }
        return last;
    }

    private boolean has(String detail) {
        return status().details().get(detail) instanceof Number;
    }

    private double detail(String name) {
        return status().details().get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    private double total(String call, String sum) {
        if (status().details().get("totals") instanceof Map<?, ?> totals
                && totals.get(call) instanceof Map<?, ?> sums
                && sums.get(sum) instanceof Number number) {
            return number.doubleValue();
        }
        return 0;
    }
}
