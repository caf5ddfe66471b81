package io.nixlkv.host.hicache;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.TypedBuffer;
import io.nixlkv.host.hicache.HostRegistration.Direction;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Moves tensors, each through a lease of its own, as many at once as the arena has room for. */
final class TypedTransfers {
    private final ViewCalls calls;
    private final PoolNames names;

    TypedTransfers(ViewCalls calls) {
        this.calls = calls;
        names = PoolNames.kv(calls.identity().objects(false));
    }

    BatchResult run(Direction direction, List<String> hashes, List<TypedBuffer> tensors) {
        ViewCalls.requireFit(hashes, tensors.size(), "tensors");
        List<PageKey> keys = hashes.stream().map(hash -> names.of(hash).get(0)).toList();
        long deadline = calls.deadline();
        List<ObjectResult> results = new ArrayList<>(keys.size());
        while (results.size() < keys.size()) {
            part(direction, keys, tensors, deadline, results);
        }
        return new BatchResult(results);
    }

    private void part(
            Direction direction,
            List<PageKey> keys,
            List<TypedBuffer> tensors,
            long deadline,
            List<ObjectResult> results) {
        int from = results.size();
        List<ArenaLease> leases = new ArrayList<>();
        List<KvObject> objects = new ArrayList<>();
        try {
            ObjectResult refused = null;
            for (int i = from; i < keys.size() && refused == null; i++) {
                try {
                    long patience = leases.isEmpty() ? Math.max(0, deadline - System.nanoTime()) : 0;
                    KvArena arena = calls.store().arena();
                    ArenaLease lease = arena.lease(tensors.get(i).byteSize(), Duration.ofNanos(patience));
                    leases.add(lease);
                    objects.add(new KvObject(keys.get(i), lease.slice()));
                    if (direction == Direction.STORE) {
                        lease.buffer().put(tensors.get(i).bytes());
                    }
                } catch (StorageException noRoom) {
                    refused = new ObjectResult(noRoom.status(), -1, keys.get(i) + ": " + noRoom.getMessage());
                }
            }
            if (objects.isEmpty()) {
                results.add(refused);
                return;
            }
            BatchResult done = direction == Direction.STORE
                    ? calls.store().store(objects, ViewCalls.within(deadline))
                    : calls.store().load(objects, ViewCalls.within(deadline));
            for (int i = 0; i < done.size(); i++) {
                if (direction == Direction.LOAD && done.get(i).ok()) {
                    tensors.get(from + i).bytes().put(leases.get(i).buffer());
                }
            }
            results.addAll(done.results());
            if (refused != null && refused.status() == Status.INVALID) {
                results.add(refused);
            }
        } finally {
            leases.forEach(ArenaLease::close);
        }
    }
}
