package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.ArenaPool.Part;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.host.hicache.HiCacheView;
import io.nixlkv.spi.StorageException;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a view says in the log, as SGLang's troubleshooting asks for. */
class HiCacheLogIT {
    private static final Logger HOST = Logger.getLogger("io.nixlkv.host");

    @TempDir
    Path directory;

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        HOST.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        HOST.removeHandler(handler);
    }

    private long count(String part) {
        return lines.stream().filter(line -> line.contains(part)).count();
    }

    @Test
    void agentBackendAndPoolAreTold() {
        try (HiCacheRig rig = new HiCacheRig(directory, new HiCacheIdentity("org/mla", 1, 2, true));
                ArenaPool pool = rig.pool(1, 4096)) {
            rig.view.register(pool);
            assertEquals(
                    1,
                    count("INFO HiCache agent initialised: model org/mla, rank 1 of 2, backend POSIX"),
                    lines::toString);
            assertEquals(1, count("INFO Backend POSIX was instantiated"), lines::toString);
            assertEquals(
                    1,
                    count("INFO HiCache pool kv registered: layout=page_first zero_copy=true mem_pool_device_type=cpu"
                            + " is_mla_model=true tp_rank=1 backup_skip=true"),
                    lines::toString);
            assertEquals(
                    0,
                    lines.stream()
                            .filter(line -> line.startsWith(Level.WARNING.getName()))
                            .count());
        }
    }

    @Test
    void theFallbackToCopiesIsOneWarning() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA, true);
                ArenaLease memory = rig.store.arena().lease(3 * 5000, Duration.ZERO)) {
            rig.view.register(
                    ArenaPool.over(rig.store.arena(), "page_first", 3, List.of(new Part(memory.slice(), 5000, 5000))));
            for (int i = 0; i < 5; i++) {
                assertTrue(rig.view.batchSetV1(HiCacheRig.hashes(3), 0, 1, 2).allOk());
            }
            assertEquals(
                    1,
                    count("WARNING HiCache pool kv: with direct I/O its first page and its stride"),
                    lines::toString);
            assertEquals(1, count("zero_copy=false"));
        }
    }

    @Test
    void aStoreOfAnotherLayoutIsRefused() {
        try (PackedHost host = new PackedHost();
                KvStore store = host.raw(directory)) {
            StorageException refused = assertThrows(
                    StorageException.class, () -> HiCacheView.over(store, HiCacheRig.MHA, HiCacheOptions.DEFAULT));
            assertTrue(refused.getMessage().contains("layout = \"hicache\""), refused.getMessage());
        }
    }
}
