package io.nixlkv.host.importing;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.LayoutSettings;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** From the names of one layout to the keys of another. Immutable. */
final class KeyTranslation {
    private static final String RAW = "raw";

    /** What identifies an object in each layout, for people; layouts with one identity can be translated. */
    private static final Map<String, String> IDENTITIES = Map.of(
            "lmcache", "LMCache's object key (model, KV rank, group, chunk hash, salt)",
            "lmcache-dynamic", "LMCache's object key (model, KV rank, group, chunk hash, salt)",
            "lmcache-engine", "LMCache's engine key (model, world, worker, hash, dtype, tags)",
            "doca-memos", "LMCache's engine key (model, world, worker, hash, dtype, tags)",
            "hicache", "SGLang's page (hash, model, rank, size, pool)");

    private static final Set<String> LOSSY = Set.of("lmcache-dynamic", "lmcache-engine");

    private final String to;
    private final boolean verbatim;
    private final boolean sameLayout;
    private final List<Layout> readers;

    private KeyTranslation(String to, boolean verbatim, boolean sameLayout, List<Layout> readers) {
        this.to = to;
        this.verbatim = verbatim;
        this.sameLayout = sameLayout;
        this.readers = readers;
    }

    /**
     * @param source what is known about the source's model
     * @throws StorageException INVALID, with the reason, if objects would lose their identity
     */
    static KeyTranslation of(String from, String to, LayoutSettings source) {
        if (!Layouts.IDS.contains(from)) {
            throw new StorageException(
                    Status.INVALID,
                    "there is no layout " + from + " to import from; use one of " + String.join(", ", Layouts.IDS));
        }
        boolean same = from.equals(to);
        if (!same && !from.equals(RAW) && !to.equals(RAW)) {
            requireSameIdentity(from, to);
            requireToldByName(from, to, source);
        }
        // Names of a raw source mean what they mean in the target.
        String meaning = from.equals(RAW) ? to : from;
        return new KeyTranslation(to, to.equals(RAW), same, Layouts.formsOf(meaning, source));
    }

    private static void requireSameIdentity(String from, String to) {
        String has = IDENTITIES.get(from);
        String needs = IDENTITIES.get(to);
        if (!has.equals(needs)) {
            throw refused(
                    from,
                    to,
                    "names of the first hold " + has + ", those of the second need " + needs + "; import into layout "
                            + from + ", or into raw to keep names as they are");
        }
    }

    private static void requireToldByName(String from, String to, LayoutSettings source) {
        if (from.equals("doca-memos")) {
            throw refused(
                    from,
                    to,
                    "its names are digests that do not tell their keys; import into layout doca-memos or raw");
        }
        if (LOSSY.contains(from) && source.model().isEmpty()) {
            throw refused(
                    from, to, "its names do not tell models apart; give --from-model, the one model of the source");
        }
    }

    private static StorageException refused(String from, String to, String why) {
        return new StorageException(
                Status.INVALID,
                "objects of layout " + from + " would lose their identity in layout " + to + ": " + why);
    }

    /**
     * The key of a source's file in the target; empty if its name is not one of the source's layout.
     *
     * @throws StorageException INVALID if the name does not tell it
     */
    Optional<KvKey> key(String name) {
        for (Layout reader : readers) {
            Optional<KvKey> key = reader.parseName(name);
            if (key.isEmpty()) {
                continue;
            }
            if (verbatim) {
                return Optional.of(new RawKey(name));
            }
            if (key.get() instanceof RawKey && !sameLayout && !reader.id().equals(to)) {
                throw new StorageException(
                        Status.INVALID, "the name does not tell its key, which layout " + to + " needs");
            }
            return key;
        }
        return Optional.empty();
    }
}
