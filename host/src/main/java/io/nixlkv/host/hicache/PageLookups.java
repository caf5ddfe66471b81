package io.nixlkv.host.hicache;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.PoolQuery;
import io.nixlkv.spi.Status;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the store for pages, in parts, so that a long list that ends early is not asked to its end. */
final class PageLookups {
    private static final int PART = 512;
    private static final Logger LOG = LoggerFactory.getLogger(PageLookups.class);

    private final ViewCalls calls;

    PageLookups(ViewCalls calls) {
        this.calls = calls;
    }

    /**
     * The results of pages.
     *
     * @param lengths bytes of the objects of each page, 0 where they are not known
     * @param prefixOnly whether to end with the part that holds the first page that is not there
     */
    List<ObjectResult> run(PoolNames names, long[] lengths, List<String> hashes, boolean prefixOnly) {
        ViewCalls.requireFit(hashes, hashes.size(), "pages");
        long deadline = calls.deadline();
        List<ObjectResult> results = new ArrayList<>(hashes.size());
        for (int from = 0; from < hashes.size(); from += PART) {
            List<ObjectResult> part =
                    part(names, lengths, hashes.subList(from, Math.min(from + PART, hashes.size())), deadline);
            results.addAll(part);
            if (prefixOnly && new BatchResult(part).leadingOk() < part.size()) {
                break;
            }
        }
        return results;
    }

    private List<ObjectResult> part(PoolNames names, long[] lengths, List<String> hashes, long deadline) {
        List<PageKey> keys = new ArrayList<>(hashes.size() * lengths.length);
        hashes.forEach(hash -> keys.addAll(names.of(hash)));
        long[] expected = new long[keys.size()];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = lengths[i % lengths.length];
        }
        BatchResult found = calls.store().lookup(keys, ViewCalls.within(deadline), expected);
        return PageResults.perPage(found.results(), lengths.length);
    }

    int leading(PoolNames names, long[] lengths, List<String> hashes) {
        List<ObjectResult> results = run(names, lengths, hashes, true);
        int leading = new BatchResult(results).leadingOk();
        if (leading < results.size()) {
            warnUnlessAbsent(results.get(leading));
        }
        return leading;
    }

    private static void warnUnlessAbsent(ObjectResult first) {
        if (first.status() != Status.MISSING && first.status() != Status.WRONG_SIZE) {
            LOG.warn(
                    "HiCache: a prefix ends at a page that could not be looked up, {}: {}",
                    first.status(),
                    first.reason());
        }
    }

    /** How many of the first {@code pages} pages remain usable with what a side pool has. */
    int boundary(HostRegistration side, PoolQuery query, List<String> hashes) {
        if (query.policy() == PoolQuery.Policy.ALL_PAGES) {
            return leading(side.names(), side.lengths(), hashes);
        }
        List<ObjectResult> results = run(side.names(), side.lengths(), hashes, false);
        int present = 0;
        int boundary = 0;
        for (int page = 0; page < results.size(); page++) {
            present = results.get(page).ok() ? present + 1 : 0;
            if (present >= Math.min(query.trailing(), page + 1)) {
                boundary = page + 1;
            }
        }
        return boundary;
    }
}
