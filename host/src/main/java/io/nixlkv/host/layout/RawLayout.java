package io.nixlkv.host.layout;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.RawKey;
import java.util.Optional;

/** Layout {@code raw}: the key is the physical name, sub-paths allowed. */
final class RawLayout implements Layout {
    static final String ID = "raw";

    private final NameRules rules;

    RawLayout() {
        this(NameRules.refusingLong());
    }

    RawLayout(NameRules rules) {
        this.rules = rules;
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public void name(KvKey key, NameBuffer out) {
        if (!(key instanceof RawKey raw)) {
            throw Refusal.of(
                    ID,
                    key.text(),
                    "it takes a physical name (RawKey), not " + key.getClass().getSimpleName()
                            + "; use the layout of that kind of key");
        }
        try {
            out.clear().utf8(raw.name());
        } catch (IllegalArgumentException unencodable) {
            throw Refusal.of(ID, raw.name(), "its name is not Unicode, " + unencodable.getMessage() + "; correct it");
        }
        rules.enforce(ID, raw, out);
    }

    @Override
    public KvKey parseKey(String text) {
        RawKey key = new RawKey(text);
        name(key, new NameBuffer());
        return key;
    }

    @Override
    public Optional<KvKey> parseName(String physicalName) {
        NameBuffer name = new NameBuffer();
        try {
            name.utf8(physicalName);
        } catch (IllegalArgumentException unencodable) {
            return Optional.empty();
        }
        return NameRules.broken(name).isPresent() ? Optional.empty() : Optional.of(new RawKey(physicalName));
    }
}
