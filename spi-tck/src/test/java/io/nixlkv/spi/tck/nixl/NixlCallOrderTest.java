package io.nixlkv.spi.tck.nixl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import io.nixlkv.spi.tck.nixl.RecordedAgent.Call;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sequence of calls that a batch becomes. */
class NixlCallOrderTest {
    private static final int LENGTH = 4096;

    private final DirectArena arena = new DirectArena(1 << 20);
    private final PackedBatch batch = new PackedBatch(arena, 8);

    @Test
    void publishesAfterTheFilesWereClosedAndReleasesNothingInFlight(@TempDir Path directory) {
        List<Call> calls = calls(directory, lane -> {
            start(Op.WRITE, null);
            add("a", "b", "c");
            lane.execute(batch);
            ended(Status.DONE, Status.DONE, Status.DONE);
        });
        assertEquals(
                List.of(
                        "register_mem DRAM",
                        "register_mem FILE",
                        "create_xfer_req",
                        "post_xfer_req",
                        "terminal",
                        "release_xfer_req",
                        "deregister_mem FILE",
                        "publish",
                        "publish",
                        "publish"),
                names(calls));
        Call registered = calls.get(1);
        for (Call call : calls.subList(2, 7)) {
            assertEquals(registered.devices(), call.devices(), call.name());
        }
        for (String metaInfo : registered.detail().split(" ")) {
            assertTrue(metaInfo.startsWith("rw,create:" + directory), metaInfo);
        }
    }

    @Test
    void everyTransferHasNewDevices(@TempDir Path directory) {
        List<Call> calls = calls(directory, lane -> {
            start(Op.WRITE, null);
            add("a", "b");
            lane.execute(batch);
            for (int i = 0; i < 2; i++) {
                start(Op.READ, null);
                add("a", "b");
                lane.execute(batch);
                ended(Status.DONE, Status.DONE);
            }
        });
        List<Long> devices = calls.stream()
                .filter(call -> call.name().equals("register_mem FILE"))
                .flatMap(call -> call.devices().stream())
                .toList();
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L), devices);
    }

    @Test
    void aFailedRequestIsRepeatedItemByItem(@TempDir Path directory) {
        List<Call> calls = calls(directory, lane -> {
            start(Op.WRITE, null);
            add("a", "b", "c");
            lane.execute(batch);
            start(Op.READ, null);
            batch.add("a", 0, 0, 0, LENGTH);
            batch.add("b", 0, 0, LENGTH, LENGTH + 1);
            batch.add("c", 0, 0, 4 * LENGTH, LENGTH);
            lane.execute(batch);
            ended(Status.DONE, Status.WRONG_SIZE, Status.DONE);
        });
        List<String> ends = calls.stream()
                .filter(call -> call.name().equals("terminal"))
                .map(call -> call.detail() + " " + call.devices().size())
                .toList();
        assertEquals(List.of("SUCCESS 3", "BACKEND 3", "SUCCESS 1", "BACKEND 1", "SUCCESS 1"), ends);
    }

    @Test
    void aPoolIsRegisteredOnceForEachLane(@TempDir Path directory) {
        List<Call> calls = calls(directory, lane -> {
            try (SlotPool pool = new NixlFileBackend(directory, arena).openPool("p", 4, LENGTH)) {
                for (int i = 0; i < 3; i++) {
                    start(Op.WRITE, pool);
                    batch.addSlot(i, 0, 0, 0, LENGTH);
                    lane.execute(batch);
                    ended(Status.DONE);
                }
            }
        });
        assertEquals(
                1, names(calls).stream().filter("register_mem FILE"::equals).count());
    }

    private interface Work {
        void with(Lane lane);
    }

    private List<Call> calls(Path directory, Work work) {
        try (NixlFileBackend backend = new NixlFileBackend(directory, arena);
                NixlFileLane lane = (NixlFileLane) backend.openLane()) {
            work.with(lane);
            return List.copyOf(lane.agent().calls());
        }
    }

    private static List<String> names(List<Call> calls) {
        return calls.stream().map(Call::name).toList();
    }

    private void start(Op op, SlotPool pool) {
        batch.start(op, Mode.CREATE, false, System.nanoTime() + TimeUnit.SECONDS.toNanos(30), pool);
    }

    private void add(String... names) {
        for (int i = 0; i < names.length; i++) {
            batch.add(names[i], 0, 0, i * LENGTH, LENGTH);
        }
    }

    private void ended(Status... statuses) {
        for (int i = 0; i < statuses.length; i++) {
            assertEquals(statuses[i], batch.status(i), "item " + i);
        }
    }
}
