package io.nixlkv.spi.tck.nixl;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.ObjectName;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import io.nixlkv.spi.tck.nixl.RecordedAgent.Pair;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A batch as NIXL calls: register, create, post, poll, release, deregister, and then publish. */
final class NixlFileLane implements Lane {
    /** Stands for real addresses: with {@code DirectArena} there are none. */
    private static final int SEGMENT_SHIFT = 32;

    private final NixlFileBackend backend;
    private final RecordedAgent agent;
    private final Map<NixlPool, Long> pools = new HashMap<>();

    NixlFileLane(NixlFileBackend backend) {
        this.backend = backend;
        MemoryArena arena = backend.arena();
        agent = new RecordedAgent((address, length) ->
                arena.segment((int) (address >> SEGMENT_SHIFT)).slice((int) (long) address, length));
        agent.registerMemory(arena.segments());
    }

    RecordedAgent agent() {
        return agent;
    }

    @Override
    public void execute(TransferBatch batch) {
        List<Integer> items = new ArrayList<>(batch.size());
        for (int item = 0; item < batch.size(); item++) {
            Status refused = refused(batch, item);
            if (refused == null) {
                items.add(item);
            } else {
                batch.fail(item, refused, 0, "refused before NIXL was called");
            }
        }
        if (items.isEmpty()) {
            return;
        }
        switch (batch.op()) {
            case READ -> read(batch, items);
            case WRITE, STAGE -> write(batch, items);
            case QUERY -> query(batch, items);
            case PUBLISH, DISCARD -> items.forEach(item -> finish(batch, item));
            case DELETE -> throw new IllegalStateException("refused above");
        }
    }

    private Status refused(TransferBatch batch, int item) {
        boolean moves = batch.op() == Op.WRITE || batch.op() == Op.STAGE || batch.op() == Op.READ;
        boolean publishes = batch.op() == Op.WRITE || batch.op() == Op.PUBLISH;
        if (backend.closed()) {
            return Status.UNAVAILABLE;
        }
        if (batch.op() == Op.DELETE || publishes && batch.mode() == Mode.REPLACE && batch.pool() == null) {
            return Status.UNSUPPORTED;
        }
        if (System.nanoTime() - batch.deadline() > 0) {
            return Status.TIMED_OUT;
        }
        String name = batch.pool() == null ? batch.name(item) : "slot";
        boolean named = ObjectName.valid(name, NixlFiles.CAN.maxNameBytes()) && !backend.reserved(name);
        return named && (!moves || batch.length(item) > 0) ? null : Status.INVALID;
    }

    private void query(TransferBatch batch, List<Integer> items) {
        List<OptionalLong> sizes = sizes(batch, items);
        for (int i = 0; i < items.size(); i++) {
            Status status = sizes.get(i).isPresent() ? Status.DONE : Status.MISSING;
            batch.complete(items.get(i), status, sizes.get(i).orElse(-1));
        }
    }

    private List<OptionalLong> sizes(TransferBatch batch, List<Integer> items) {
        return agent.query(
                items.stream().map(item -> backend.path(batch.name(item))).toList());
    }

    private void read(TransferBatch batch, List<Integer> items) {
        if (batch.pool() != null) {
            slots(batch, items, false);
            return;
        }
        List<OptionalLong> sizes = sizes(batch, items);
        List<Integer> present = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            if (sizes.get(i).isPresent()) {
                present.add(items.get(i));
            } else {
                batch.complete(items.get(i), Status.MISSING, -1);
            }
        }
        each(
                present,
                part -> {
                    List<String> metaInfo = part.stream()
                            .map(item -> "ro:" + backend.path(batch.name(item)))
                            .toList();
                    return request(batch, part, false, newIds(part), metaInfo);
                },
                item -> batch.complete(item, Status.DONE, batch.length(item)),
                item -> shortOrFailed(batch, item));
    }

    private void shortOrFailed(TransferBatch batch, int item) {
        OptionalLong size = sizes(batch, List.of(item)).get(0);
        if (size.isEmpty()) {
            batch.complete(item, Status.MISSING, -1);
        } else if (size.getAsLong() < batch.length(item)) {
            batch.complete(item, Status.WRONG_SIZE, size.getAsLong());
        } else {
            batch.fail(item, Status.FAILED, 0, "NIXL answered BACKEND");
        }
    }

    private void write(TransferBatch batch, List<Integer> items) {
        if (batch.pool() != null) {
            slots(batch, items, true);
            return;
        }
        Map<Integer, Long> ids = new HashMap<>();
        each(
                items,
                part -> {
                    List<Long> devices = newIds(part);
                    String access = batch.durable() ? "rw,create,sync:" : "rw,create:";
                    for (int i = 0; i < part.size(); i++) {
                        ids.put(part.get(i), devices.get(i));
                    }
                    List<String> metaInfo = devices.stream()
                            .map(id -> access + backend.temporary(id))
                            .toList();
                    return request(batch, part, true, devices, metaInfo);
                },
                item -> written(batch, item, ids.get(item)),
                item -> batch.fail(item, Status.FAILED, 0, "NIXL answered BACKEND"));
    }

    private void written(TransferBatch batch, int item, long id) {
        if (batch.op() == Op.STAGE) {
            backend.staged().put(id, backend.temporary(id));
            batch.staged(item, id);
        } else {
            publish(batch, item, id, backend.temporary(id));
        }
    }

    private void finish(TransferBatch batch, int item) {
        Path temporary = backend.staged().remove(batch.token(item));
        if (temporary == null) {
            batch.fail(item, Status.INVALID, 0, "nothing is staged under this token");
        } else if (batch.op() == Op.PUBLISH) {
            publish(batch, item, batch.token(item), temporary);
        } else {
            boolean removed = temporary.toFile().delete();
            batch.complete(item, removed ? Status.DONE : Status.FAILED, -1);
        }
    }

    private void publish(TransferBatch batch, int item, long id, Path temporary) {
        try {
            Path object = backend.path(batch.name(item));
            agent.published(id);
            Status status = backend.publish(temporary, object);
            if (batch.durable()) {
                try (FileChannel directory = FileChannel.open(object.getParent(), StandardOpenOption.READ)) {
                    directory.force(true);
                }
            }
            batch.complete(item, status, -1);
        } catch (IOException e) {
            batch.fail(item, Status.FAILED, 0, e.toString());
        }
    }

    private void slots(TransferBatch batch, List<Integer> items, boolean writes) {
        NixlPool pool = (NixlPool) batch.pool();
        long device = pools.computeIfAbsent(pool, met -> {
            long id = backend.nextId();
            agent.registerFiles(List.of(id), List.of("rw,create:" + met.slab()));
            return id;
        });
        each(
                items,
                part -> transfer(
                        writes,
                        part.stream()
                                .map(item -> new Pair(
                                        address(batch, item),
                                        (long) batch.slot(item) * pool.slotBytes(),
                                        batch.length(item),
                                        device))
                                .toList()),
                item -> batch.complete(item, Status.DONE, -1),
                item -> batch.fail(item, Status.FAILED, 0, "NIXL answered BACKEND"));
    }

    /** One request for all; NIXL does not say which item failed, so a failed one is repeated item by item. */
    private static void each(List<Integer> items, Attempt attempt, Ending done, Ending failed) {
        if (items.isEmpty()) {
            return;
        }
        if (attempt.succeeds(items)) {
            items.forEach(done::end);
        } else if (items.size() == 1) {
            failed.end(items.get(0));
        } else {
            items.forEach(item -> each(List.of(item), attempt, done, failed));
        }
    }

    private interface Attempt {
        boolean succeeds(List<Integer> items);
    }

    private interface Ending {
        void end(int item);
    }

    private List<Long> newIds(List<Integer> items) {
        return items.stream().map(item -> backend.nextId()).toList();
    }

    private boolean request(
            TransferBatch batch, List<Integer> items, boolean writes, List<Long> devices, List<String> metaInfo) {
        if (agent.registerFiles(devices, metaInfo) != RecordedAgent.SUCCESS) {
            return false;
        }
        List<Pair> pairs = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            int item = items.get(i);
            pairs.add(new Pair(address(batch, item), 0, batch.length(item), devices.get(i)));
        }
        boolean done = transfer(writes, pairs);
        agent.deregisterFiles(devices);
        return done;
    }

    /** There is no cancelling: releasing a running request frees memory in use, so this waits beyond any deadline. */
    private boolean transfer(boolean writes, List<Pair> pairs) {
        long request = agent.createRequest(writes, pairs);
        if (request < 0) {
            return false;
        }
        int status = agent.post(request);
        while (status == RecordedAgent.IN_PROG) {
            status = agent.poll(request);
        }
        agent.release(request);
        return status == RecordedAgent.SUCCESS;
    }

    private static long address(TransferBatch batch, int item) {
        return (long) batch.segment(item) << SEGMENT_SHIFT | batch.offset(item);
    }

    @Override
    public void close() {
        agent.close();
    }
}
