package io.nixlkv.api.hicache;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A store as the third level of SGLang's hierarchical cache: pages of tokens, named and kept as SGLang's NIXL connector does, for one
 * rank of one model. Thread-safe; loads and stores may run at once. The host room opens it over a store, which the caller owns.
 *
 * <p>Every batch answers per page, in order: a page is ok when all its objects are. One bad page never fails its neighbours. Batches
 * may have any length. A page hash is 64 lower-case hex digits; a hash twice in a batch, a page number outside the pool, or arrays of
 * different lengths are a {@link StorageException} of status INVALID before anything is written, and no hashes at all are an empty
 * result.
 *
 * <p>On ranks other than 0 of an MLA model every form of {@code set} leaves objects that ranks share to rank 0, and answers ok.
 */
public interface HiCache extends AutoCloseable {

    /** Whose pages these are. */
    HiCacheIdentity identity();

    /**
     * Takes the pool of KV pages. Pages are transferred where they are if and only if the pool's layout is {@code page_first} or {@code
     * page_first_direct} and, with direct I/O, its first page and its stride are multiples of 4096. Otherwise they go through bounce
     * memory of the arena, under names of their own.
     *
     * @throws StorageException INVALID if a pool is registered already, its pages do not have the parts of this model, or zero copy
     *     needs it in the arena and it is not; UNSUPPORTED for memory of a device; NO_SPACE if the arena has no room for bounce pages
     */
    PoolRegistration register(HostPool pool);

    /**
     * Takes the pool of further state of the pages. It is transferred where it is if it is a {@link SlicedPool}, aligned where direct
     * I/O needs that.
     *
     * @param name SGLang's name of the pool, such as {@code mamba} or {@code indexer}
     * @throws StorageException as {@link #register}
     */
    PoolRegistration registerSidePool(String name, HostPool pool);

    /** Whether a page is there. */
    default boolean exists(String pageHash) {
        return batchExists(List.of(pageHash)) > 0;
    }

    /**
     * How many leading pages are there, each whole and of the registered pool's size. A page whose lookup fails ends the prefix, with
     * a warning in the log; {@link #lookup} tells why. Without a registered pool it asks for pages that {@link #set} stored.
     */
    int batchExists(List<String> pageHashes);

    /** {@link #batchExists} with the result of each page: DONE, MISSING, WRONG_SIZE, or why it is not known. */
    BatchResult lookup(List<String> pageHashes);

    /**
     * How long a prefix is usable together with side pools. A side pool that is not registered has no pages.
     *
     * @param pools what each side pool must have
     */
    PoolHits batchExistsV2(List<String> pageHashes, List<PoolQuery> pools);

    /**
     * Loads pages into the registered pool. Memory of a page that is not ok is undefined with zero copy, and untouched otherwise. A page
     * that TIMED_OUT may be written for as long as the store is stuck: with zero copy, do not reuse its memory until the registration
     * is closed. Without a registered pool every page is UNAVAILABLE.
     *
     * @param pages page numbers in the pool, one for each hash
     */
    BatchResult batchGetV1(List<String> pageHashes, int... pages);

    /** Stores pages of the registered pool, replacing older ones. Otherwise as {@link #batchGetV1}. */
    BatchResult batchSetV1(List<String> pageHashes, int... pages);

    /** {@link #batchGetV1} for side pools; the results by pool. */
    Map<String, BatchResult> batchGetV2(List<PoolTransfer> transfers);

    /** {@link #batchSetV1} for side pools; the results by pool. */
    Map<String, BatchResult> batchSetV2(List<PoolTransfer> transfers);

    /** Loads one tensor, which must have the size it was stored with; it is untouched unless ok. */
    default ObjectResult get(String pageHash, TypedBuffer target) {
        return batchGet(List.of(pageHash), List.of(target)).get(0);
    }

    /** Stores one tensor as one object, under the name that copied pages have. */
    default ObjectResult set(String pageHash, TypedBuffer value) {
        return batchSet(List.of(pageHash), List.of(value)).get(0);
    }

    /** Loads tensors, each of its own type and shape. */
    BatchResult batchGet(List<String> pageHashes, List<TypedBuffer> targets);

    /** Stores tensors, each of its own type and shape. */
    BatchResult batchSet(List<String> pageHashes, List<TypedBuffer> values);

    /**
     * Deletes the objects of this model, of every rank and side pool, and no others. What is written meanwhile may remain.
     *
     * @param patience time it may take
     * @throws StorageException UNSUPPORTED if the store cannot list or delete
     */
    ClearResult clear(Duration patience);

    /** Closes the registrations. The store stays open, and nothing is deleted. Idempotent; calls after it are UNAVAILABLE. */
    @Override
    void close();
}
