package io.nixlkv.spi.tck;

import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.StorageStrategy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the suite must know about the engine it tests. Implemented by a public class with a public no-argument constructor, since
 * the kill test creates it again in another JVM; it must then reach the same store for the same location.
 */
public interface ContractSetup {
    /** The strategy. */
    StorageStrategy strategy();

    /** The engine to open, one of the strategy's offers. */
    String engine();

    /**
     * Parameter values, by parameter name, of a store of its own for each location. Called again for the same location when a
     * second backend is opened over the same store.
     *
     * @param location an existing directory; a store without files takes its last path element, unique in the run, as the name
     *     of a bucket or prefix
     */
    Map<String, String> config(Path location);

    /**
     * Makes the store ready before it is opened the first time, such as by creating a bucket.
     *
     * @throws IOException if it cannot be made ready; the test then fails
     */
    default void prepare(Path location) throws IOException {}

    /**
     * Takes away what {@link #prepare} made and what the tests stored outside the location, after the last backend was closed.
     *
     * @throws IOException if it cannot be taken away; the test then fails
     */
    default void remove(Path location) throws IOException {}

    /**
     * Puts an object of 0 bytes into the store, as somebody else would, beside the engine.
     *
     * @return false if nobody can; the suite then does not ask what the engine makes of it
     * @throws IOException if it cannot be put; the test then fails
     */
    default boolean putEmpty(Path location, String name) throws IOException {
        return false;
    }

    /**
     * The object that stands for {@code name}, where a store's names have a form of their own, such as a fixed number of digits.
     * The suite asks for every name that is right otherwise; wrong names it passes as they are. Different names must give different
     * ones, and the same name the same in every process. Only for engines that do not list.
     */
    default String object(String name) {
        return name;
    }

    /** The memory of all transfers, at least {@code bytes} in its first segment. Made once for a test class. */
    default MemoryArena arena(long bytes) {
        return new DirectArena(bytes);
    }

    /**
     * Whether objects outlive the process that wrote them. With {@code false} the suite asserts that a store opened again is
     * empty, instead of the reopen and kill tests.
     */
    default boolean persistent() {
        return true;
    }

    /** Rounds of the kill test where the system property {@code nixlkv.tck.kills} does not say. */
    default int kills() {
        return 500;
    }
}
