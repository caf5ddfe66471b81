package io.nixlkv.api.hicache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A host pool in any memory of the application, whose pages are copied: a page is its runs, one behind the other.
 *
 * @param layout SGLang's name of the layout
 * @param pages number of pages
 * @param runs where the contiguous bytes of a page are, in the order of SGLang's flat page
 */
public record StridedPool(String layout, int pages, List<Run> runs) implements HostPool {

    /**
     * Bytes that each page has at the same distance from those of the page before.
     *
     * @param memory of the application; its position is neither used nor moved
     * @param offset where the run of page 0 starts
     * @param stride bytes from a page's run to the next page's
     * @param bytes length of the run
     */
    public record Run(ByteBuffer memory, int offset, int stride, int bytes) {
        public Run {
            Objects.requireNonNull(memory);
        }

        private ByteBuffer of(int page) {
            return memory.slice(Math.addExact(offset, Math.multiplyExact(page, stride)), bytes);
        }
    }

    /** @throws IllegalArgumentException if there are no pages or no runs, or a page is outside its memory */
    public StridedPool {
        runs = List.copyOf(runs);
        if (pages < 1 || runs.isEmpty()) {
            throw new IllegalArgumentException("a pool has pages, and a page has runs");
        }
        for (Run run : runs) {
            long end = run.offset + (long) (pages - 1) * run.stride + run.bytes;
            if (run.offset < 0 || run.stride < run.bytes || run.bytes < 1 || end > run.memory.capacity()) {
                throw new IllegalArgumentException(pages + " pages of " + run + " are not inside its memory");
            }
        }
    }

    /**
     * SGLang's layout {@code layer_first}: {@code (2, layers, tokens, heads, dim)}, without the 2 for MLA.
     *
     * @param memory the whole buffer from its start
     * @param layerBytes bytes of one page in one layer, of K or of V
     */
    public static StridedPool layerFirst(ByteBuffer memory, boolean mla, int layers, int pages, int layerBytes) {
        int layer = Math.multiplyExact(pages, layerBytes);
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < (mla ? layers : 2 * layers); i++) {
            runs.add(new Run(memory, Math.multiplyExact(i, layer), layerBytes, layerBytes));
        }
        return new StridedPool("layer_first", pages, runs);
    }

    @Override
    public int pageBytes() {
        int bytes = 0;
        for (Run run : runs) {
            bytes = Math.addExact(bytes, run.bytes);
        }
        return bytes;
    }

    @Override
    public void copyOut(int page, ByteBuffer flat) {
        Objects.checkIndex(page, pages);
        runs.forEach(run -> flat.put(run.of(page)));
    }

    @Override
    public void copyIn(int page, ByteBuffer flat) {
        Objects.checkIndex(page, pages);
        for (Run run : runs) {
            run.of(page).put(flat.slice(flat.position(), run.bytes));
            flat.position(flat.position() + run.bytes);
        }
    }
}
