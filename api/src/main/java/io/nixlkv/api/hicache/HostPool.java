package io.nixlkv.api.hicache;

import java.nio.ByteBuffer;

/**
 * The host memory in which an engine keeps its pages, as a view needs to know it. The engine owns it. A view
 * calls it on the threads that call the view.
 *
 * <p>{@link ArenaPool} is a pool whose pages are transferred where they are; {@link StridedPool} is a pool in any other memory.
 */
public interface HostPool {
    /** SGLang's name of the layout, such as {@code page_first} or {@code layer_first}. */
    String layout();

    /** Where the memory is: {@code cpu} is the only kind that views take. */
    default String deviceType() {
        return "cpu";
    }

    /** Number of pages; they are numbered from 0. SGLang's host index divided by its page size is the number. */
    int pages();

    /** Bytes of a whole page, every part of it. */
    int pageBytes();

    /** Puts a page, its parts one behind the other, into {@code flat}, which has {@link #pageBytes} remaining. */
    void copyOut(int page, ByteBuffer flat);

    /** Fills a page from {@code flat}, which has {@link #pageBytes} remaining. */
    void copyIn(int page, ByteBuffer flat);
}
