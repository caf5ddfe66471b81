package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.nativeio.NixlInstallation;
import io.nixlkv.nativeio.NixlLane;
import io.nixlkv.nativeio.NixlLibrary;
import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.nativeio.TransferRequest;
import io.nixlkv.nativeio.TransferRequest.Publish;
import io.nixlkv.nativeio.TransferRequest.Result;
import io.nixlkv.plugin.support.object.KeyRules;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Engine {@code nixl} of a strategy that also knows its store by an SDK. NIXL tells nothing of why it fails, so the SDK asks first,
 * and names what is wrong with address, keys or bucket; then NIXL proves that it writes and reads an object there.
 *
 * @param store name of the strategy
 * @param place bucket or container, and endpoint, for people
 * @param identity where the keys come from, never the keys
 */
public record NixlObjects(String store, String place, String identity) {
    private static final Logger LOG = LoggerFactory.getLogger(NixlObjects.class);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final int LENGTH = 4097;

    /**
     * Opens the engine on a store that has answered the SDK.
     *
     * @param selfTest whether NIXL writes and reads an object first
     * @param remove removes an object by its key, by the SDK; false if it could not
     * @throws StorageException saying what NIXL cannot do, and what to do about it; nothing is left open
     */
    public StorageBackend open(
            NixlSettings settings,
            NixlObjectNames names,
            MemoryArena arena,
            boolean selfTest,
            Predicate<String> remove) {
        if (selfTest) {
            String key = names.key(KeyRules.RESERVED + "selftest-" + UUID.randomUUID());
            try {
                roundTrip(settings, key);
            } finally {
                if (!remove.test(key)) {
                    LOG.warn("{}: the self-test's object \"{}\" cannot be removed from {}", store, key, place);
                }
            }
        }
        return NixlObjectBackend.open(store, settings, names, arena);
    }

    private void roundTrip(NixlSettings settings, String key) {
        try (Scratch memory = new Scratch(new NativeMemory(LENGTH, NativeMemory.Pages.ORDINARY));
                NixlLane lane = lane(settings, memory)) {
            TransferRequest request = new TransferRequest();
            for (boolean write : new boolean[] {true, false}) {
                fill(memory.segment(0), write ? 1 : 0);
                request.start(1, write, false, true, Publish.NOT, 0, PATIENCE);
                request.add(memory.address(0), LENGTH, key, "", false);
                lane.objects(request);
                if (request.result(0) != Result.DONE) {
                    throw failed((write ? "write" : "read") + " an object in " + place);
                }
            }
            if (!holds(memory.segment(0))) {
                throw new StorageException(
                        Status.FAILED,
                        store + " engine nixl: " + place
                                + " returns other bytes than NIXL stored: it does not decode the"
                                + " body; set req_checksum = \"required\", or engine = \"sdk\"");
            }
        }
    }

    private NixlLane lane(NixlSettings settings, MemoryArena memory) {
        try {
            return NixlAgents.open(settings, Storage.OBJECTS, memory).openLane();
        } catch (StorageException refused) {
            // NIXL keeps the loader's words to itself
            throw loading(settings.plugin())
                    .map(words -> new StorageException(
                            Status.UNAVAILABLE,
                            store + " engine nixl: NIXL's " + settings.plugin() + " cannot be loaded: " + words,
                            refused))
                    .orElse(refused);
        }
    }

    private static Optional<String> loading(String plugin) {
        Optional<NixlInstallation> found = NixlSearch.run().installation();
        return found.flatMap(
                nixl -> NixlLibrary.loadingProblem(nixl.plugin(plugin).toString()));
    }

    private StorageException failed(String what) {
        return new StorageException(
                Status.UNAVAILABLE,
                store + " engine nixl: NIXL cannot " + what + ", which answers the SDK with keys from " + identity
                        + "; NIXL's log on stderr may say why; check that these keys may write, or set engine = \"sdk\"");
    }

    private static void fill(ByteBuffer memory, int factor) {
        for (int i = 0; i < LENGTH; i++) {
            memory.put(i, (byte) (factor * (i * 31 >> 3)));
        }
    }

    private static boolean holds(ByteBuffer memory) {
        for (int i = 0; i < LENGTH; i++) {
            if (memory.get(i) != (byte) (i * 31 >> 3)) {
                return false;
            }
        }
        return true;
    }

    /** Memory of the self-test. */
    private record Scratch(NativeMemory memory) implements MemoryArena, AutoCloseable {
        @Override
        public int segments() {
            return memory.segments();
        }

        @Override
        public ByteBuffer segment(int index) {
            return memory.segment(index);
        }

        @Override
        public long address(int segment) {
            return memory.address(segment);
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
