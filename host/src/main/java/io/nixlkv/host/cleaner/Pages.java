package io.nixlkv.host.cleaner;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.PageKey;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.layout.PageBucket;
import io.nixlkv.host.layout.PageGroup;
import io.nixlkv.spi.StorageException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The objects of layout {@code hicache}: {@code bucket/hash_suffix}. Whether a name is the store's, its model and what its page's
 * objects share depend on the suffix alone, of which a store has few, so each is read once.
 */
final class Pages implements Ownership {
    static final String LAYOUT = "hicache";

    private static final int NAME = PageBucket.CHARS + 1;
    private static final int HASH_CHARS = 64;
    private static final int MOST_SUFFIXES = 4096;
    private static final Pattern BUCKET = Pattern.compile("[0-9a-f]{2}");
    private static final Pattern SHORTENED = Pattern.compile("../long-sha256-[0-9a-f]{64}");

    /** What a suffix says: the rest of the group's name, and the model. */
    private record Suffix(boolean ours, String group, String model) {}

    private static final Suffix FOREIGN = new Suffix(false, "", "");

    private final Layout layout;
    private final boolean oneModel;
    private final boolean shortened;
    private final Map<String, Suffix> suffixes = new ConcurrentHashMap<>();

    private Pages(Layout layout, boolean oneModel, boolean shortened) {
        this.layout = layout;
        this.oneModel = oneModel;
        this.shortened = shortened;
    }

    static Pages of(StoreSettings settings, boolean anyModel) {
        boolean any = anyModel || settings.layoutSettings().modelIfGiven().isEmpty();
        return new Pages(
                any ? Layouts.ofAnyModel(settings) : Layouts.of(settings),
                !any,
                any && settings.layoutSettings().hashLongNames());
    }

    @Override
    public Owned owned(String name) {
        if (!isPage(name)) {
            return shortened && SHORTENED.matcher(name).matches() && PageBucket.isRight(name)
                    ? new Owned(name, "-")
                    : null;
        }
        String text = name.substring(NAME + HASH_CHARS);
        Suffix suffix = suffixes.get(text);
        if (suffix == null) {
            suffix = read(name);
            if (suffixes.size() < MOST_SUFFIXES) {
                suffixes.put(text, suffix);
            }
        }
        return suffix.ours && PageBucket.isRight(name)
                ? new Owned(name.substring(NAME, NAME + HASH_CHARS).concat(suffix.group), suffix.model)
                : null;
    }

    private static boolean isPage(String name) {
        if (name.length() <= NAME + HASH_CHARS
                || name.charAt(PageBucket.CHARS) != '/'
                || name.charAt(NAME + HASH_CHARS) != '_') {
            return false;
        }
        for (int at = NAME; at < NAME + HASH_CHARS; at++) {
            char c = name.charAt(at);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    private Suffix read(String name) {
        try {
            KvKey key = layout.parseKey(name.substring(NAME));
            // With one model all objects of a hash are of one page; else names are grouped as SGLang's cleaner does.
            String group = oneModel ? "" : PageGroup.of(name.substring(NAME)).substring(HASH_CHARS);
            return key instanceof PageKey page ? new Suffix(true, group, page.model()) : FOREIGN;
        } catch (StorageException notOurs) {
            return FOREIGN;
        }
    }

    @Override
    public Optional<KvKey> key(String name) {
        return owned(name) == null ? Optional.empty() : layout.parseName(name);
    }

    @Override
    public boolean enters(String prefix, String folder) {
        return prefix.isEmpty() && BUCKET.matcher(folder).matches();
    }
}
