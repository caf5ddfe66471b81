package io.nixlkv.host.store;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.TransferBatch.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Opens stores on a scripted backend. */
final class Stores {
    static final int ARENA = 1 << 20;

    private Stores() {}

    static StoreSpec spec(EngineOffer engine, int workers, boolean exclusive, LengthRule lengths) {
        return new StoreSpec(
                "TEST",
                "memory",
                engine,
                Layouts.of(HostConfig.parse("[store]\nlayout = \"raw\"", "test", Map.of())
                        .store()),
                lengths,
                workers,
                4096,
                Duration.ofSeconds(20),
                Mode.CREATE,
                Atomicity.PER_OBJECT,
                false,
                exclusive,
                0,
                Map.of());
    }

    static DynamicStore open(ScriptedBackend backend, int workers) {
        return open(backend, spec(ScriptedBackend.offer(100), workers, false, LengthRule.EXACT));
    }

    static DynamicStore open(ScriptedBackend backend, StoreSpec spec) {
        return new DynamicStore(spec, backend, new DirectArena(ARENA));
    }

    /** {@code count} objects named {@code o0}, {@code o1}, …, of {@code bytes} bytes each, filled with their number. */
    static List<KvObject> objects(ArenaLease lease, int count, int bytes) {
        List<KvObject> objects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < bytes; j++) {
                lease.buffer().put(i * bytes + j, (byte) i);
            }
            objects.add(new KvObject(new RawKey("o" + i), lease.slice(i * bytes, bytes)));
        }
        return objects;
    }
}
