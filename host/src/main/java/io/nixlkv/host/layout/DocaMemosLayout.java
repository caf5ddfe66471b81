package io.nixlkv.host.layout;

import io.nixlkv.api.EngineKey;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.RawKey;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Layout {@code doca-memos}: LMCache's names of 128 bits, the first half of the SHA-256 of the engine key's text in 32 hex digits.
 * Names are opaque: they are listed as they are.
 */
final class DocaMemosLayout extends KeyedLayout<EngineKey> {
    static final String ID = "doca-memos";

    private static final int NAME_BYTES = 16;
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{" + 2 * NAME_BYTES + "}");

    DocaMemosLayout(NameRules rules) {
        super(ID, EngineKey.class, "an engine key (model@world@worker@hash@dtype[@tag%value…])", rules);
    }

    @Override
    void write(EngineKey key, NameBuffer out) {
        byte[] text = out.utf8(key.text()).toByteArray();
        out.clear().hex(Sha256.of(text, 0, text.length), NAME_BYTES);
    }

    @Override
    EngineKey parse(String text) {
        return EngineKey.parse(text);
    }

    @Override
    Optional<KvKey> read(String physicalName) {
        return NAME.matcher(physicalName).matches() ? Optional.of(new RawKey(physicalName)) : Optional.empty();
    }
}
