package io.nixlkv.host.config;

import java.util.Map;
import java.util.regex.Pattern;

/** Rules of memory for transfers that is on a GPU. */
final class BufferRules {
    /** What {@code buffer_device} is. */
    static final Pattern DEVICE = Pattern.compile("cpu|cuda(:\\d{1,4})?", Pattern.CASE_INSENSITIVE);

    private final Map<String, ConfigValue> store;
    private final Dialect dialect;
    private final Findings findings;

    BufferRules(Map<String, ConfigValue> store, Dialect dialect, Findings findings) {
        this.store = store;
        this.dialect = dialect;
        this.findings = findings;
    }

    void check() {
        ConfigValue device = store.get(HostKeys.BUFFER_DEVICE);
        ConfigValue bytes = store.get(HostKeys.BUFFER_BYTES);
        if (!DEVICE.matcher(device.text()).matches()) {
            problem(device, "must be cpu, cuda or cuda:N, not \"" + device.text() + "\"");
        } else if (!device.text().equalsIgnoreCase("cpu")) {
            if (bytes.text().isEmpty()) {
                problem(device, device.text() + " needs buffer_bytes, the bytes of memory of that GPU");
            }
            unused("arena_gb");
            unused("hugepages");
            unused("local_cpu");
        } else if (bytes.given() && !device.origin().equals(Origin.CALL)) {
            // a caller that takes host memory all the same does not mean the file's size
            problem(bytes, "is only for memory of a GPU; with buffer_device = \"cpu\" remove it and set arena_gb");
        }
    }

    /** An LMCache file has these for the engine's host memory too. */
    private void unused(String key) {
        ConfigValue value = store.get(key);
        boolean odd = value.given()
                && !value.text().equalsIgnoreCase(value.parameter().defaultValue());
        if (odd && dialect != Dialect.LMCACHE) {
            findings.warning(value.origin(), "store." + key, "has no effect with memory of a GPU");
        }
    }

    private void problem(ConfigValue culprit, String sentence) {
        findings.problem(culprit.origin(), "store." + culprit.parameter().name(), sentence);
    }
}
