package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Turns the items of a batch into requests and their answers into results. */
final class ObjectLane implements Lane {
    private final ObjectBackend backend;
    private final ObjectStore store;

    ObjectLane(ObjectBackend backend) {
        this.backend = backend;
        store = backend.store();
    }

    @Override
    public void execute(TransferBatch batch) {
        if (backend.closed()) {
            failAll(batch, Status.UNAVAILABLE, backend.place() + " is closed");
            return;
        }
        Optional<String> missing = unsupported(batch);
        if (missing.isPresent()) {
            failAll(batch, Status.UNSUPPORTED, missing.get());
            return;
        }
        BatchResults results = new BatchResults(batch, backend);
        if (batch.op() == Op.DELETE) {
            delete(batch, results);
        } else {
            perform(batch, results, works(batch, request(batch)));
        }
    }

    private void perform(TransferBatch batch, Round.Results results, List<Work> works) {
        if (works.isEmpty()) {
            return;
        }
        if (batch.deadline() - System.nanoTime() <= 0) {
            for (Work work : works) {
                work.abandon();
                results.late(work);
            }
            return;
        }
        RequestPool pool = backend.pool();
        new Round(works, results).run(pool, pool.size(), batch.deadline());
    }

    private void failAll(TransferBatch batch, Status status, String sentence) {
        for (int item = 0; item < batch.size(); item++) {
            batch.fail(item, status, 0, sentence);
        }
    }

    private Optional<String> unsupported(TransferBatch batch) {
        Capabilities can = backend.can();
        if (batch.pool() != null) {
            return Optional.of("object stores have no slots");
        }
        return switch (batch.op()) {
            case STAGE, DISCARD -> lacking(can, Feature.STAGE);
            case PUBLISH -> lacking(can, Feature.STAGE).or(() -> lacking(can, feature(batch.mode())));
            case DELETE -> lacking(can, Feature.DELETE);
            case WRITE -> lacking(can, feature(batch.mode()));
            case READ, QUERY -> Optional.empty();
        };
    }

    private static Feature feature(Mode mode) {
        return mode == Mode.CREATE ? Feature.CREATE : Feature.REPLACE;
    }

    private Optional<String> lacking(Capabilities can, Feature feature) {
        if (can.has(feature)) {
            return Optional.empty();
        }
        return Optional.of(
                feature == Feature.CREATE
                        ? backend.place() + " ignores If-None-Match, so CREATE could replace an object; set write_mode"
                                + " = \"replace\""
                        : backend.place() + " does not support " + feature);
    }

    /** Works of the items that are right; the others are ended here. */
    private List<Work> works(TransferBatch batch, Request request) {
        List<Work> works = new ArrayList<>(batch.size());
        boolean moves = batch.op() == Op.WRITE || batch.op() == Op.STAGE || batch.op() == Op.READ;
        for (int item = 0; item < batch.size(); item++) {
            String name = batch.name(item);
            String problem = backend.rules().problem(name);
            if (problem == null && moves) {
                problem = lengthProblem(batch.length(item));
            }
            if (problem != null) {
                batch.fail(item, Status.INVALID, 0, problem);
                continue;
            }
            Slice slice = moves ? new Slice(batch.slice(item)) : null;
            works.add(request.of(item, backend.rules().prefix() + name, slice));
        }
        return works;
    }

    private String lengthProblem(int length) {
        if (length < 1) {
            return "has a length of 0 bytes; zero-length objects are refused";
        }
        long most = backend.can().maxObjectBytes();
        return length > most ? "has " + length + " bytes, at most " + most + " are possible" : null;
    }

    /** Makes the work of an item, on the lane's thread; its request runs on a thread of the pool. */
    private interface Request {
        /** @param slice {@code null} where no memory is involved */
        Work of(int item, String key, Slice slice);
    }

    private Request request(TransferBatch batch) {
        Mode mode = batch.mode();
        return switch (batch.op()) {
            case WRITE -> (item, key, slice) -> work(item, slice, () -> store.put(key, slice, mode));
            case READ -> (item, key, slice) -> work(item, slice, () -> store.get(key, slice));
            case QUERY -> (item, key, slice) -> work(item, slice, () -> store.head(key));
            case STAGE -> this::stage;
            case PUBLISH ->
                (item, key, slice) -> end(item, key, batch.token(item), upload -> store.publish(upload, mode));
            case DISCARD -> (item, key, slice) -> end(item, key, batch.token(item), this::discard);
            case DELETE -> throw new IllegalStateException("deletion has its own way");
        };
    }

    private static Work work(int item, Slice slice, Supplier<Answer> request) {
        return new Work(new int[] {item}, slice, work -> List.of(request.get()));
    }

    /** Uploads an object. An upload that ends after its deadline is discarded: nobody will hear of its token. */
    private Work stage(int item, String key, Slice slice) {
        long token = backend.newToken();
        return new Work(
                new int[] {item},
                slice,
                work -> {
                    backend.keep(token, store.stage(key, slice));
                    return List.of(new Answer(Status.DONE, token, 0, null));
                },
                () -> backend.forget(token, key));
    }

    /** Publishes or discards. The token is spent however it ends, so an upload that waits in vain is discarded. */
    private Work end(int item, String key, long token, Function<Staged, Answer> then) {
        return new Work(
                new int[] {item},
                null,
                work -> List.of(backend.take(token, key).map(then).orElseGet(ObjectLane::unknownToken)),
                () -> backend.forget(token, key));
    }

    private Answer discard(Staged upload) {
        try {
            store.discard(upload);
            return Answer.done(-1);
        } catch (RuntimeException failed) {
            backend.discardLater(upload);
            throw failed;
        }
    }

    private static Answer unknownToken() {
        return Answer.failed(
                Status.INVALID, 0, "has no staged upload under this token; it is spent or of another backend");
    }

    private void delete(TransferBatch batch, BatchResults results) {
        if (store.deleteGroup() == 1) {
            perform(
                    batch,
                    results,
                    works(
                            batch,
                            (item, key, none) -> work(
                                    item, none, () -> store.delete(List.of(key)).get(0))));
            return;
        }
        DeleteRound round = new DeleteRound(results, store, batch.size());
        perform(
                batch,
                round,
                works(batch, (item, key, none) -> new Work(new int[] {item}, none, round.ask(item, key))));
        perform(batch, results, round.groups());
    }

    @Override
    public void close() {
        // Connections and threads are the backend's.
    }
}
