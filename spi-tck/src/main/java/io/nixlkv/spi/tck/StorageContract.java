package io.nixlkv.spi.tck;

import io.nixlkv.spi.MemoryArena;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The whole suite. A vendor extends it once for each engine and configuration:
 *
 * <pre>{@code
 * class AcmeContractTest extends StorageContract {
 *     AcmeContractTest() {
 *         super(new Setup());
 *     }
 *
 *     public static final class Setup implements ContractSetup { … }
 * }
 * }</pre>
 *
 * Every test gets a fresh store. The system property {@code nixlkv.tck.kills} sets the rounds of the kill test, {@code
 * nixlkv.tck.batch} the objects of the largest batch (4097), and {@code nixlkv.tck.seed} repeats a run whose seed was printed. A suite
 * that differs from another one in native code or server only may be tagged {@code variant}, to be left out of a second Java.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
public abstract class StorageContract
        implements OfferRules,
                SizeRules,
                BatchRules,
                WriteModeRules,
                ConcurrencyRules,
                NameRules,
                CatalogueRules,
                AlignmentRules,
                DeadlineRules,
                StagingRules,
                SlotRules,
                LifecycleRules,
                KillRules {

    private final ContractSetup setup;
    private final MemoryArena arena;
    private ContractStore store;

    /** @param setup an instance of a public class with a public no-argument constructor */
    protected StorageContract(ContractSetup setup) {
        this.setup = setup;
        arena = setup.arena(ContractStore.ARENA_BYTES);
    }

    @Override
    public final ContractStore store() {
        return store;
    }

    @BeforeEach
    final void openStore(@TempDir Path temporary) throws IOException {
        // Below the temporary directory, so that a name that escapes upwards is seen there.
        Path location = Files.createDirectory(temporary.resolve("store-" + Long.toHexString(System.nanoTime())));
        setup.prepare(location);
        store = new ContractStore(setup, location, arena);
    }

    @AfterEach
    final void closeStore() throws IOException {
        if (store != null) {
            store.close();
            setup.remove(store.location());
            store = null;
        }
    }
}
