package io.nixlkv.host.layout;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.StorageException;
import java.util.Optional;

/**
 * A layout that makes names of one kind of key, and also takes the physical names that it lists where a name does not tell its key.
 *
 * @param <K> kind of key
 */
abstract class KeyedLayout<K extends KvKey> implements Layout {
    private final String id;
    private final Class<K> kind;
    private final String form;
    private final NameRules rules;

    /**
     * @param id the layout's name
     * @param form what its keys look like, for messages
     */
    KeyedLayout(String id, Class<K> kind, String form, NameRules rules) {
        this.id = id;
        this.kind = kind;
        this.form = form;
        this.rules = rules;
    }

    /** Appends the name. @throws IllegalArgumentException if a text of the key is not Unicode */
    abstract void write(K key, NameBuffer out);

    /** Reads a key as people write it. @throws IllegalArgumentException saying what is wrong */
    abstract K parse(String text);

    /** The key of a name, a {@link RawKey} if the name alone does not tell it; empty if it is not of this layout. */
    abstract Optional<KvKey> read(String physicalName);

    /** Whether a text is a physical name that {@link #read} would answer with a {@link RawKey}. */
    private boolean isOpaque(String text) {
        return read(text).filter(RawKey.class::isInstance).isPresent();
    }

    @Override
    public final String id() {
        return id;
    }

    @Override
    public final void name(KvKey key, NameBuffer out) {
        out.clear();
        boolean physical = key instanceof RawKey raw && (rules.isShortened(raw.name()) || isOpaque(raw.name()));
        if (!physical && !kind.isInstance(key)) {
            throw refusal(
                    key.text(),
                    "it takes " + form + ", not " + key.getClass().getSimpleName()
                            + "; use layout raw for plain names");
        }
        try {
            if (physical) {
                out.utf8(key.text());
            } else {
                write(kind.cast(key), out);
            }
        } catch (IllegalArgumentException unencodable) {
            throw refusal(key.text(), "its text is not Unicode, " + unencodable.getMessage() + "; correct it");
        }
        rules.enforce(id, key, out);
    }

    @Override
    public final KvKey parseKey(String text) {
        KvKey key;
        if (rules.isShortened(text) || isOpaque(text)) {
            key = new RawKey(text);
        } else {
            try {
                key = parse(text);
            } catch (IllegalArgumentException wrong) {
                throw refusal(text, wrong.getMessage());
            }
        }
        name(key, new NameBuffer());
        return key;
    }

    @Override
    public final Optional<KvKey> parseName(String physicalName) {
        return rules.isShortened(physicalName) ? Optional.of(new RawKey(physicalName)) : read(physicalName);
    }

    final StorageException refusal(String keyText, String rule) {
        return Refusal.of(id, keyText, rule);
    }

    /** Refuses a key of another model than the store's. */
    final void requireModel(Optional<String> configured, String model, KvKey key) {
        if (configured.isPresent() && !configured.get().equals(model)) {
            throw refusal(
                    key.text(),
                    "this store is for model " + configured.get() + " and the key is for \"" + model
                            + "\"; names here do not tell models apart, so open another store for it");
        }
    }
}
