package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Status;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects that native NIXL's plugins put are read by ours under the names of layout {@code lmcache}, and the other way round. */
class NativeNixlObjectsIT {
    private static final int[] LENGTHS = {1, 4096, 70_001, (1 << 20) + 3};
    private static final String KEY = "org/model@0000002a@7@0011223%d@tenant";
    private static final String FILE = "org-SEP-model@0x0000002a@7@0011223%d@tenant.data";

    /** How the names are made, and what comes out: golden names of LMCache. */
    private enum Names {
        FILES("", FILE),
        SHARDED("shard_dirs = true\n", "00/11/" + FILE),
        WIRE("name_form = \"wire\"\n", KEY),
        SHARDED_WIRE("name_form = \"wire\"\nshard_dirs = true\n", "00/11/" + KEY);

        private final String settings;
        private final String name;

        Names(String settings, String name) {
            this.settings = settings;
            this.name = name;
        }
    }

    @ParameterizedTest
    @EnumSource(Names.class)
    void objAndNativeObjReadEachOther(Names names) {
        bothWays(ObjectPlace.minio(), names);
    }

    @ParameterizedTest
    @EnumSource(Names.class)
    void azureBlobAndNativeAzureBlobReadEachOther(Names names) {
        bothWays(ObjectPlace.azurite(), names);
    }

    @Test
    void objAndNativeObjReadEachOtherOnASecondServer() {
        bothWays(ObjectPlace.seaweed(), Names.FILES);
    }

    private static void bothWays(ObjectPlace place, Names names) {
        PackedHost.assumeUsable("nixl");
        String toml = "[store]\nlayout = \"lmcache\"\narena_gb = 0.0625\n" + names.settings + place.toml(Map.of());
        try (NativeObjects nixl = new NativeObjects(place);
                PackedHost host = new PackedHost();
                KvStore ours = host.host().open(HostConfig.parse(toml, "test.toml", Map.of()))) {
            for (int i = 0; i < LENGTHS.length; i++) {
                String theirs = names.name.formatted(i);
                byte[] value = bytes(i, LENGTHS[i]);
                nixl.put(theirs, value);
                byte[] loaded = new byte[value.length];
                assertEquals(
                        Status.DONE,
                        ours.load(ours.key(KEY.formatted(i)), ByteBuffer.wrap(loaded), CallOptions.DEFAULT)
                                .status(),
                        theirs);
                assertArrayEquals(value, loaded, theirs);
                assertArrayEquals(value, place.requests().get(theirs), theirs);

                int other = i + LENGTHS.length;
                byte[] own = bytes(other, LENGTHS[i]);
                assertEquals(
                        Status.DONE,
                        ours.store(ours.key(KEY.formatted(other)), ByteBuffer.wrap(own), CallOptions.DEFAULT)
                                .status());
                assertArrayEquals(own, nixl.get(names.name.formatted(other), own.length));
            }
            // What native NIXL has put counts as present: CREATE leaves it, whoever wrote it.
            assertEquals(
                    Status.ALREADY_PRESENT,
                    ours.store(ours.key(KEY.formatted(1)), ByteBuffer.wrap(new byte[LENGTHS[1]]), CallOptions.DEFAULT)
                            .status());
            assertArrayEquals(bytes(1, LENGTHS[1]), nixl.get(names.name.formatted(1), LENGTHS[1]));
        }
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
