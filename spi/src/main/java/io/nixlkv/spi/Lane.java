package io.nixlkv.spi;

/**
 * One stream of batches, used by one thread at a time. Blocking; concurrency inside is the engine's own (ring depth, asynchronous
 * SDK, native threads).
 */
public interface Lane extends AutoCloseable {
    /**
     * Completes every item of the batch exactly once. One bad item never fails its neighbours; item errors are results, not
     * exceptions.
     *
     * <p><b>Return is the fence</b>: afterwards nothing reads or writes the slices any more. The lane honours {@link
     * TransferBatch#deadline()}; what cannot be cancelled keeps this method from returning. Then the <em>host</em> answers its
     * callers {@link Status#TIMED_OUT}, keeps the slices leased until the return, and works on with another lane.
     *
     * <p>Retries happen only in here, only inside the deadline, and only for idempotent requests: the host never repeats I/O.
     *
     * @throws RuntimeException only for misuse or a defect; items not completed count as failed
     */
    void execute(TransferBatch batch);

    /** Releases what the lane owns. Idempotent; called by the lane's thread or after it ended. */
    @Override
    void close();
}
