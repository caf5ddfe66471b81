package io.nixlkv.host.layout;

import io.nixlkv.api.EngineKey;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.RawKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Layout {@code lmcache-engine}: the names of LMCache's dynamic NIXL backend. {@code /} and {@code @} of the engine key's text become
 * {@code _}, and then everything but letters, digits and {@code _.-~} is percent-encoded: {@code
 * org_model_2_1_00112233_half_user%25u1}.
 *
 * <p>Names are read where the store has a configured model, and where they can come from one key only; others are listed as they are.
 */
final class LmcacheEngineLayout extends KeyedLayout<EngineKey> {
    static final String ID = "lmcache-engine";

    private static final char[] HEX = "0123456789ABCDEF".toCharArray();
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.~%-]+_[0-9]+_[0-9]+_[0-9a-f]+_[A-Za-z0-9_.~%-]+");
    private static final Pattern AFTER_MODEL =
            Pattern.compile("([0-9]{1,9})_([0-9]{1,9})_([0-9a-f]+)_([A-Za-z0-9_.~%-]+)");

    private final Optional<String> model;

    LmcacheEngineLayout(Optional<String> model, NameRules rules) {
        super(ID, EngineKey.class, "an engine key (model@world@worker@hash@dtype[@tag%value…])", rules);
        this.model = model;
    }

    @Override
    void write(EngineKey key, NameBuffer out) {
        requireModel(model, key.model(), key);
        for (EngineKey.Tag tag : key.tags()) {
            if (tag.name().indexOf('/') >= 0 || tag.value().indexOf('/') >= 0) {
                throw refusal(
                        key.text(),
                        "its tag \"" + tag.name()
                                + "\" holds \"/\", which becomes \"_\", so it would share its name with"
                                + " another tag; use tags without \"/\"");
            }
        }
        append(key.text(), out);
    }

    private static void append(String text, NameBuffer out) {
        NameBuffer plain = new NameBuffer().utf8(text);
        byte[] bytes = plain.array();
        for (int i = 0; i < plain.length(); i++) {
            char c = (char) (bytes[i] & 0xff);
            if (c == '/' || c == '@') {
                out.ascii('_');
            } else if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "_.-~".indexOf(c) >= 0) {
                out.ascii(c);
            } else {
                out.ascii('%').ascii(HEX[c >> 4]).ascii(HEX[c & 0xf]);
            }
        }
    }

    @Override
    EngineKey parse(String text) {
        return EngineKey.parse(text);
    }

    @Override
    Optional<KvKey> read(String physicalName) {
        if (model.isEmpty()) {
            return NAME.matcher(physicalName).matches() ? Optional.of(new RawKey(physicalName)) : Optional.empty();
        }
        NameBuffer start = new NameBuffer();
        append(model.get() + '@', start);
        if (!physicalName.startsWith(start.toString())) {
            return Optional.empty();
        }
        Matcher rest = AFTER_MODEL.matcher(physicalName.substring(start.length()));
        if (!rest.matches()) {
            return Optional.empty();
        }
        EngineKey key;
        try {
            Optional<TypeAndTags> words = TypeAndTags.of(decoded(rest.group(4)));
            if (words.isEmpty()) {
                return Optional.of(new RawKey(physicalName));
            }
            key = new EngineKey(
                    model.get(),
                    Integer.parseInt(rest.group(1)),
                    Integer.parseInt(rest.group(2)),
                    rest.group(3),
                    words.get().dtype(),
                    words.get().tags());
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
        NameBuffer again = new NameBuffer();
        append(key.text(), again);
        return again.toString().equals(physicalName) ? Optional.of(key) : Optional.empty();
    }

    /** @throws IllegalArgumentException if a percent sign is not followed by two hex digits */
    private static String decoded(String text) {
        NameBuffer out = new NameBuffer();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                out.ascii(c);
            } else if (i + 2 < text.length()) {
                out.ascii((char) Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                throw new IllegalArgumentException("cut percent-encoding");
            }
        }
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
