package io.nixlkv.spi.tck;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A right lane with one fault put in. */
final class FaultyLane implements Lane {
    /** What it does wrong. */
    enum Fault {
        FORGETS_MISSING_ITEMS,
        COMPLETES_TWICE,
        COMPLETES_LATE,
        THROWS_ON_A_BAD_ITEM,
        RETURNS_PART_OF_AN_OBJECT,
        WRITES_BEYOND_THE_SLICE,
        FLIPS_A_BIT,
        KEEPS_READING_AFTER_THE_DEADLINE,
        REPLACES_ON_CREATE,
        REFUSES_NOTHING,
        TEARS
    }

    private static final Executor LATER = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

    private final Lane right;
    private final MemoryArena arena;
    private final Fault fault;

    FaultyLane(Lane right, MemoryArena arena, Fault fault) {
        this.right = right;
        this.arena = arena;
        this.fault = fault;
    }

    @Override
    public void execute(TransferBatch batch) {
        if (fault == Fault.TEARS && batch.op() == Op.WRITE) {
            right.execute(half(batch));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        right.execute(tampered(batch));
        switch (fault) {
            case COMPLETES_TWICE -> again(batch);
            case COMPLETES_LATE ->
                CompletableFuture.runAsync(() -> again(batch), LATER).join();
            case WRITES_BEYOND_THE_SLICE -> {
                if (batch.op() == Op.READ) {
                    arena.segment(0).put(batch.offset(0) + batch.length(0), (byte) 1);
                }
            }
            case FLIPS_A_BIT -> {
                if (batch.op() == Op.READ && batch.length(0) > 0) {
                    ByteBuffer slice = batch.slice(0);
                    slice.put(0, (byte) (slice.get(0) ^ 1));
                }
            }
            case KEEPS_READING_AFTER_THE_DEADLINE -> {
                if (batch.op() == Op.READ && System.nanoTime() - batch.deadline() > 0) {
                    ByteBuffer slice = batch.slice(0);
                    CompletableFuture.runAsync(() -> slice.put(0, (byte) 1), LATER);
                }
            }
            default -> {
                // The batch itself was tampered with.
            }
        }
    }

    private static void again(TransferBatch batch) {
        try {
            batch.complete(0, Status.DONE, 1);
        } catch (IllegalStateException refused) {
            if (!refused.getMessage().contains("twice")) {
                throw refused;
            }
        }
    }

    /** The first half of every object, visible under its name until the whole one replaces it; nobody learns how it ended. */
    private static TransferBatch half(TransferBatch batch) {
        return (TransferBatch) Proxy.newProxyInstance(
                TransferBatch.class.getClassLoader(),
                new Class<?>[] {TransferBatch.class},
                (proxy, method, values) -> switch (method.getName()) {
                    case "length" -> (batch.length((int) values[0]) + 1) / 2;
                    case "slice" -> batch.slice((int) values[0]).limit((batch.length((int) values[0]) + 1) / 2);
                    case "complete", "fail" -> null;
                    default -> method.invoke(batch, values);
                });
    }

    private TransferBatch tampered(TransferBatch batch) {
        return (TransferBatch) Proxy.newProxyInstance(
                TransferBatch.class.getClassLoader(), new Class<?>[] {TransferBatch.class}, (proxy, method, values) -> {
                    boolean replaces = fault == Fault.REPLACES_ON_CREATE || fault == Fault.TEARS;
                    if (replaces && method.getName().equals("mode")) {
                        return Mode.REPLACE;
                    }
                    if (method.getName().equals("name") && fault == Fault.REFUSES_NOTHING) {
                        return batch.name((int) values[0]).replace("..", "up").replace("\0", "0");
                    }
                    if (method.getName().equals("complete")) {
                        complete(batch, (int) values[0], (Status) values[1], (long) values[2]);
                        return null;
                    }
                    try {
                        return method.invoke(batch, values);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private void complete(TransferBatch batch, int item, Status status, long storedLength) {
        if (fault == Fault.FORGETS_MISSING_ITEMS && status == Status.MISSING) {
            return;
        }
        boolean part = fault == Fault.RETURNS_PART_OF_AN_OBJECT && status == Status.WRONG_SIZE;
        batch.complete(item, part ? Status.DONE : status, storedLength);
        if (fault == Fault.THROWS_ON_A_BAD_ITEM && status == Status.MISSING) {
            throw new IllegalStateException("object not found");
        }
    }

    @Override
    public void close() {
        right.close();
    }
}
