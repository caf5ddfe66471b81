package io.nixlkv.spi.tck;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.ObjectName;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A store under test: one backend over one location, and the lane of the test's thread. */
final class ContractStore implements AutoCloseable {
    /** Arena that the suite needs, bytes. */
    static final long ARENA_BYTES = 80L << 20;

    /** Most lanes that a test holds open. */
    static final int LANES = 8;

    private final ContractSetup setup;
    private final Path location;
    private final MemoryArena arena;
    private final ParameterValues config;
    private final EngineOffer offer;
    private final StorageBackend backend;
    private final Lane lane;

    /** Opens the setup's engine over {@code location}. */
    ContractStore(ContractSetup setup, Path location, MemoryArena arena) {
        this.setup = setup;
        this.location = location;
        this.arena = arena;
        config = ParameterValues.of(setup.strategy().info().parameters(), setup.config(location));
        offer = setup.strategy().probe(config).stream()
                .filter(o -> o.engine().equals(setup.engine()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "rule " + Rule.OFFERS + ": probe() does not offer the engine " + setup.engine()));
        Rule.OFFERS.check(
                offer.unavailable().isEmpty(),
                () -> "engine " + setup.engine() + " is not usable here: "
                        + offer.unavailable().orElseThrow());
        backend = setup.strategy().open(new OpenContext(setup.engine(), config, arena, LANES));
        lane = backend.openLane();
    }

    /** Another backend over the same store. */
    ContractStore again() {
        return new ContractStore(setup, location, arena);
    }

    ContractSetup setup() {
        return setup;
    }

    Path location() {
        return location;
    }

    ParameterValues config() {
        return config;
    }

    EngineOffer offer() {
        return offer;
    }

    Capabilities can() {
        return offer.can();
    }

    boolean has(Feature feature) {
        return can().has(feature);
    }

    StorageBackend backend() {
        return backend;
    }

    Lane lane() {
        return lane;
    }

    /** The mode of writes that are not about modes. */
    Mode mode() {
        return has(Feature.CREATE) ? Mode.CREATE : Mode.REPLACE;
    }

    /** Part {@code index} of the arena, divided evenly between {@code parts}. */
    Area area(int index, int parts) {
        int size = arena.bytes(0) / parts / MemoryArena.ALIGNMENT * MemoryArena.ALIGNMENT;
        return new Area(arena, index * size, (index + 1) * size);
    }

    /** A request on {@code stream}. */
    Transfer transfer(Lane stream, Area area, Op op, Mode mode) {
        return new Transfer(stream, can().maxBatch(), area, op, mode, this::object);
    }

    private String object(String name) {
        return ObjectName.valid(name, can().maxNameBytes()) ? setup.object(name) : name;
    }

    /** A request on the test's lane. */
    Transfer transfer(Op op, Mode mode) {
        return transfer(lane, area(0, 1), op, mode);
    }

    /** A request for which the mode does not matter. */
    Transfer transfer(Op op) {
        return transfer(op, mode());
    }

    /** Writes one object. */
    Outcome write(Mode mode, String name, Content content) {
        return transfer(Op.WRITE, mode).put(name, content).run().get(0);
    }

    /** Writes one new object, which must succeed. */
    void store(String name, Content content) {
        Rule.ROUND_TRIP.expect(write(mode(), name, content), Status.DONE);
    }

    /** Reads one object, which must have this content. */
    void holds(Rule rule, String name, Content content) {
        transfer(Op.READ).get(name, content.length()).run().holds(0, rule, content);
    }

    /** Asks for one object, which must not be there, to a reader, a query and a listing. */
    void absent(Rule rule, String name, int length) {
        rule.expect(transfer(Op.READ).get(name, length).run().get(0), Status.MISSING);
        rule.expect(transfer(Op.QUERY).name(name).run().get(0), Status.MISSING);
        if (has(Feature.LIST)) {
            rule.check(!list("").containsKey(name), () -> "list() shows \"" + name + "\"");
        }
    }

    /** Everything listed under {@code prefix}, with lengths; each name must come once. */
    Map<String, Long> list(String prefix) {
        Map<String, Long> found = new TreeMap<>();
        backend.list(0, prefix, System.nanoTime() + Transfer.PATIENCE, (name, length, lastUse) -> {
            Rule.LIST.check(found.put(name, length) == null, () -> "\"" + name + "\" was visited twice");
            return true;
        });
        return found;
    }

    /** Closes as a host does: lanes, drain, backend. */
    @Override
    public void close() {
        lane.close();
        Rule.CLOSED.check(
                backend.drain(System.nanoTime() + TimeUnit.SECONDS.toNanos(30)),
                () -> "drain() says that transfers still run 30 s after all lanes were closed");
        backend.close();
    }
}
