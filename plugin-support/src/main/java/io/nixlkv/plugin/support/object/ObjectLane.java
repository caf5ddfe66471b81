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
            works.forEach(results::late);
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
            works.add(new Work(
                    new int[] {item},
                    moves ? new Slice(batch.slice(item)) : null,
                    request.of(batch, item, backend.rules().prefix() + name)));
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

    /** Makes the request of an item, on the lane's thread; what it returns runs on a thread of the pool. */
    private interface Request {
        Function<Work, List<Answer>> of(TransferBatch batch, int item, String key);
    }

    private Request request(TransferBatch batch) {
        Mode mode = batch.mode();
        return switch (batch.op()) {
            case WRITE -> (all, item, key) -> work -> List.of(store.put(key, work.slice(), mode));
            case READ -> (all, item, key) -> work -> List.of(store.get(key, work.slice()));
            case QUERY -> (all, item, key) -> work -> List.of(store.head(key));
            case STAGE -> (all, item, key) -> work -> List.of(stage(key, work));
            case PUBLISH -> (all, item, key) -> token(all.token(item), key, upload -> store.publish(upload, mode));
            case DISCARD ->
                (all, item, key) -> token(all.token(item), key, upload -> {
                    store.discard(upload);
                    return Answer.done(-1);
                });
            case DELETE -> throw new IllegalStateException("deletion has its own way");
        };
    }

    private Answer stage(String key, Work work) {
        Staged upload = store.stage(key, work.slice());
        return new Answer(Status.DONE, backend.keep(upload), 0, null);
    }

    private Function<Work, List<Answer>> token(long token, String key, Function<Staged, Answer> then) {
        Optional<Staged> upload = backend.take(token).filter(kept -> kept.name().equals(key));
        return work -> List.of(upload.map(then)
                .orElseGet(() -> Answer.failed(
                        Status.INVALID,
                        0,
                        "has no staged upload under this token; it is spent or of another backend")));
    }

    private void delete(TransferBatch batch, BatchResults results) {
        if (store.deleteGroup() == 1) {
            perform(batch, results, works(batch, (all, item, key) -> work -> store.delete(List.of(key))));
            return;
        }
        DeleteRound round = new DeleteRound(results, store, batch.size());
        perform(batch, round, works(batch, (all, item, key) -> round.ask(item, key)));
        perform(batch, results, round.groups());
    }

    @Override
    public void close() {
        // Connections and threads are the backend's.
    }
}
