package io.nixlkv.host.cleaner;

import io.nixlkv.api.EngineKey;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.PageKey;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.Layouts;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which files the cleaner may delete: those whose names the store's layout reads, in layout {@code hicache} of the store's model
 * alone. Everything else is not there for it.
 */
public interface Ownership {

    /** The objects of a store of files. @param anyModel whether other models' objects count as its own */
    static Ownership of(StoreSettings settings, boolean anyModel) {
        return settings.layout().equals(Pages.LAYOUT) ? Pages.of(settings, anyModel) : new Named(Layouts.of(settings));
    }

    /** What the cleaners of a directory are told apart by, as text. */
    static String scope(StoreSettings settings) {
        return settings.layout() + ", "
                + settings.layoutSettings()
                        .modelIfGiven()
                        .map(model -> "model " + model)
                        .orElse("any model");
    }

    /**
     * An object of the store.
     *
     * @param group shared by all objects that are worth something together only
     * @param model {@code -} where the name does not tell
     */
    record Owned(String group, String model) {}

    /** The object of a name under its directory; {@code null} if it is none of the store's. Thread-safe. */
    Owned owned(String name);

    /** The key of a name that is {@link #owned}; empty if it is not. */
    Optional<KvKey> key(String name);

    /** Whether a folder can hold objects. @param prefix of the folder it lies in: empty, or ending in {@code /} */
    boolean enters(String prefix, String folder);

    /** Objects with names that stand for themselves. */
    final class Named implements Ownership {
        private static final String RESERVED = ".nixlkv";

        /** Temporaries and pool files of LMCache, which are never objects. */
        private static final Pattern OTHER_TOOLS = Pattern.compile(
                "(?:.*/)?(?:[^/]*\\.tmp\\.[0-9A-Fa-f-]+|obj_[0-9]+_[0-9A-Fa-f]+\\.bin)", Pattern.DOTALL);

        private final Layout layout;

        Named(Layout layout) {
            this.layout = layout;
        }

        @Override
        public Owned owned(String name) {
            return key(name).map(key -> new Owned(name, model(key))).orElse(null);
        }

        @Override
        public Optional<KvKey> key(String name) {
            boolean other = (name.contains(".tmp.") || name.endsWith(".bin"))
                    && OTHER_TOOLS.matcher(name).matches();
            return other ? Optional.empty() : layout.parseName(name);
        }

        @Override
        public boolean enters(String prefix, String folder) {
            return !(prefix.isEmpty() && folder.equals(RESERVED));
        }
    }

    /** The model of a key; {@code -} where it does not tell. */
    static String model(KvKey key) {
        if (key instanceof PageKey page) {
            return page.model();
        } else if (key instanceof ObjectKey object) {
            return object.model();
        }
        return key instanceof EngineKey engine ? engine.model() : "-";
    }
}
