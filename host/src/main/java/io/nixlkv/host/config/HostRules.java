package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Rules that one key alone does not show, and keys that this version does not serve yet. */
final class HostRules {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private final Map<String, ConfigValue> top;
    private final Map<String, ConfigValue> store;
    private final Dialect dialect;
    private final Findings findings;

    HostRules(Map<String, ConfigValue> top, Map<String, ConfigValue> store, Dialect dialect, Findings findings) {
        this.dialect = dialect;
        this.top = top;
        this.store = store;
        this.findings = findings;
    }

    void check() {
        watermarks();
        cleaner();
        mode();
        new ModeRules(store, findings).check();
        new BufferRules(store, dialect, findings).check();
        sizes();
        layout();
    }

    private void watermarks() {
        ConfigValue high = top.get(HostKeys.HIGH_WATERMARK);
        ConfigValue low = top.get(HostKeys.LOW_WATERMARK);
        if (!high.given() && !low.given()) {
            return;
        }
        ConfigValue culprit = high.given() ? high : low;
        BigDecimal highest = new BigDecimal(high.text());
        BigDecimal lowest = new BigDecimal(low.text());
        if (lowest.signum() <= 0 || lowest.compareTo(highest) >= 0 || highest.compareTo(HUNDRED) > 0) {
            String sentence = "0 < " + HostKeys.LOW_WATERMARK + " < " + HostKeys.HIGH_WATERMARK
                    + " <= 100 must hold, and they are " + named(low) + " and " + named(high) + "; correct them";
            if (isWrittenOff()) {
                findings.warning(culprit.origin(), culprit.parameter().name(), sentence);
            } else {
                findings.problem(culprit.origin(), culprit.parameter().name(), sentence);
            }
        } else if (highest.compareTo(BigDecimal.ONE) <= 0) {
            findings.warning(
                    culprit.origin(),
                    culprit.parameter().name(),
                    "watermarks are per cent, and " + low.text() + " and " + high.text()
                            + " are less than one; write 80 for 80 %");
        }
    }

    private boolean isWrittenOff() {
        ConfigValue enabled = top.get(HostKeys.CLEANER_ENABLED);
        return enabled.given() && !enabled.flag();
    }

    private static String named(ConfigValue value) {
        return value.text() + (value.given() ? "" : " (default)");
    }

    private void cleaner() {
        ConfigValue enabled = top.get(HostKeys.CLEANER_ENABLED);
        boolean pool = Long.parseLong(store.get("pool_size").text()) > 0;
        if (enabled.given() && enabled.flag() && pool && dialect != Dialect.SGLANG) {
            findings.warning(
                    enabled.origin(),
                    HostKeys.CLEANER_ENABLED,
                    "has no effect with pool_size above 0: a static pool has the size of its slots");
        }
    }

    private void mode() {
        String mode = store.get("mode").text().toLowerCase(Locale.ROOT);
        boolean pool = Long.parseLong(store.get("pool_size").text()) > 0;
        if (!mode.isEmpty() && mode.equals("static") != pool) {
            problem(
                    "mode",
                    "mode " + mode + " contradicts pool_size "
                            + store.get("pool_size").text() + ": 0 is dynamic, above 0 is static; leave mode out");
        }
    }

    private void sizes() {
        boolean gpu = !store.get(HostKeys.BUFFER_DEVICE).text().equalsIgnoreCase("cpu");
        if (!gpu && StoreSettings.gib(store.get("arena_gb").text()) == 0) {
            problem("arena_gb", "must be more than 0: transfers need memory");
        }
        powerOfTwo("arena_align_bytes");
        powerOfTwo("l1_align_bytes");
    }

    private void powerOfTwo(String key) {
        long bytes = Parameter.bytes(store.get(key).text());
        if (bytes != 0 && Long.bitCount(bytes) != 1) {
            problem(key, "must be a power of two such as 4096, not " + bytes);
        }
    }

    private void layout() {
        String layout = store.get("layout").text().toLowerCase(Locale.ROOT);
        for (ConfigValue value : store.values()) {
            String key = value.parameter().name();
            Set<String> served = HostKeys.ONLY_IN_LAYOUTS.get(key);
            if (served != null && !served.contains(layout)) {
                unused(key, layout);
            }
        }
        long rank = Long.parseLong(store.get("tp_rank").text());
        long size = Long.parseLong(store.get("tp_size").text());
        if (rank >= size) {
            problem("tp_rank", "must be below tp_size: " + rank + " of " + size);
        }
    }

    private void unused(String key, String layout) {
        ConfigValue value = store.get(key);
        if (value.given() && !value.text().equalsIgnoreCase(value.parameter().defaultValue())) {
            findings.warning(value.origin(), "store." + key, "has no effect with layout " + layout);
        }
    }

    private void problem(String key, String sentence) {
        findings.problem(store.get(key).origin(), "store." + key, sentence);
    }
}
