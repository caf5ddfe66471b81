package io.nixlkv.plugin.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.lang.management.ManagementFactory;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heap is no place for what is moved: at most a tenth of a byte for each byte from 1 MiB up, 96 KiB a request below. */
class AzureAllocationTest {
    private static final int ROUNDS = 12;
    private static final int OBJECTS = 32;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({"WRITE, 1048576", "READ, 1048576", "WRITE, 65536", "READ, 65536"})
    void bodiesStayOffTheHeap(Op op, int length) {
        Azurite server = Azurite.server();
        String container = "heap-" + UUID.randomUUID();
        server.client(container).create();
        try (Blobs obj = new Blobs(server.config(container))) {
            run(obj, Op.WRITE, length);
            run(obj, op, length);
            long before = allocated();
            for (int round = 0; round < ROUNDS; round++) {
                run(obj, op, length);
            }
            double perRequest = (allocated() - before) / (double) (ROUNDS * OBJECTS);
            double limit = Math.max(96 << 10, 0.1 * length);
            assertTrue(perRequest <= limit, op + " of " + length + " bytes allocates " + perRequest + " bytes");
        } finally {
            server.client(container).delete();
        }
    }

    private static void run(Blobs obj, Op op, int length) {
        var batch = obj.run(op, Mode.REPLACE, Blobs.PATIENCE, "k", OBJECTS, length);
        for (int i = 0; i < OBJECTS; i++) {
            assertEquals(Status.DONE, batch.status(i), batch.sentence(i));
        }
    }

    private long allocated() {
        long sum = 0;
        for (long thread : threads.getAllThreadIds()) {
            sum += Math.max(0, threads.getThreadAllocatedBytes(thread));
        }
        return sum;
    }
}
