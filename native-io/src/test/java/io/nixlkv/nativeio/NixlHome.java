package io.nixlkv.nativeio;

import java.util.HashMap;
import java.util.Map;

/** Where the tests find NIXL: {@code NIXL_HOME}, else where {@code benchmarks/peers install-nixl} puts it. */
final class NixlHome {
    private NixlHome() {}

    static NixlSearch.Outcome search() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        String peers = environment.getOrDefault("PEERS_HOME", System.getProperty("user.home") + "/.cache/nixlkv-peers");
        environment.putIfAbsent("NIXL_HOME", peers + "/nixl/.nixl_cu12.mesonpy.libs");
        return NixlSearch.run(environment);
    }
}
