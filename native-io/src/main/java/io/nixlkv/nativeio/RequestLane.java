package io.nixlkv.nativeio;

/** What carries out transfer requests on files. One thread at a time. */
public interface RequestLane extends AutoCloseable {
    /** Carries out a request on files; the results are in it. When it returns, nothing touches the memory any more. */
    void files(TransferRequest request);

    /**
     * Keeps a file open until {@link #drop}, for reading and writing.
     *
     * @param direct whether it is opened for direct I/O, where the lane knows such a thing
     * @return its device, for {@link TransferRequest#addKept}
     * @throws RuntimeException if it cannot be opened
     */
    long keep(boolean direct, String path);

    /** Forgets what {@link #keep} opened. */
    void drop(long device);

    /** Idempotent. */
    @Override
    void close();
}
