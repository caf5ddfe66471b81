package io.nixlkv.host.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rules of static pools, presence cache, path and endpoint lists, and capacity. */
final class ModeRules {
    private final Map<String, ConfigValue> store;
    private final Findings findings;

    ModeRules(Map<String, ConfigValue> store, Findings findings) {
        this.store = store;
        this.findings = findings;
    }

    void check() {
        boolean pool = Long.parseLong(store.get("pool_size").text()) > 0;
        if (pool) {
            pool();
        } else {
            HostKeys.OF_POOLS.forEach(key -> unused(key, "pool_size = 0"));
        }
        if (flag("presence_cache_only") && !flag("presence_cache")) {
            problem("presence_cache_only", "requires presence_cache = true; write both, or leave this one out");
        }
        endpoints();
        capacity(pool);
    }

    private void pool() {
        if (store.get("slot_bytes").text().isEmpty()) {
            problem(
                    "pool_size",
                    "a static pool needs slot_bytes, the bytes of one slot: at least those of the longest object");
        }
        unused("max_capacity_gb", "pool_size above 0: a static pool has the size of its slots");
        unused("eviction", "pool_size above 0: what a full pool does is pool_full");
    }

    private void endpoints() {
        ConfigValue list = store.get("endpoint_list");
        if (!list.given()) {
            return;
        }
        List<String> endpoints = ModeSettings.endpoints(store);
        if (endpoints.isEmpty()) {
            problem("endpoint_list", "is empty; name at least one endpoint or leave it out");
        }
        for (String endpoint : endpoints) {
            String lower = endpoint.toLowerCase(Locale.ROOT);
            if (!lower.startsWith("http://") && !lower.startsWith("https://")) {
                problem("endpoint_list", "\"" + endpoint + "\" must begin with http:// or https://");
            }
        }
    }

    private void capacity(boolean pool) {
        share("trigger_watermark");
        share("eviction_ratio");
        boolean limited = StoreSettings.gib(store.get("max_capacity_gb").text()) > 0;
        if (!pool && !limited) {
            unused("eviction", "max_capacity_gb = 0, which means no limit");
        }
    }

    private void share(String key) {
        if (Double.parseDouble(store.get(key).text()) <= 0) {
            problem(key, "must be above 0 and at most 1: it is a share, 0.8 for 80 %");
        }
    }

    private void unused(String key, String with) {
        ConfigValue value = store.get(key);
        if (value.given() && !value.text().equalsIgnoreCase(value.parameter().defaultValue())) {
            findings.warning(value.origin(), "store." + key, "has no effect with " + with);
        }
    }

    private boolean flag(String key) {
        return store.get(key).flag();
    }

    private void problem(String key, String sentence) {
        findings.problem(store.get(key).origin(), "store." + key, sentence);
    }
}
