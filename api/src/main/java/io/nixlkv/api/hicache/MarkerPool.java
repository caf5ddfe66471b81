package io.nixlkv.api.hicache;

import java.nio.ByteBuffer;

/**
 * A pool whose KV pages hold no bytes of their own, as that of DeepSeek V4 in SGLang, whose side pools carry the data: each page is
 * stored as a marker of ones, so that lookups find it.
 *
 * @param pages number of pages
 * @param pageBytes bytes of a marker: 4096 with direct I/O, else 1, as SGLang's connector writes them
 */
public record MarkerPool(int pages, int pageBytes) implements HostPool {
    @Override
    public String layout() {
        return "logical";
    }

    @Override
    public void copyOut(int page, ByteBuffer flat) {
        for (int i = 0; i < pageBytes; i++) {
            flat.put((byte) 1);
        }
    }

    @Override
    public void copyIn(int page, ByteBuffer flat) {
        flat.position(flat.position() + pageBytes);
    }
}
