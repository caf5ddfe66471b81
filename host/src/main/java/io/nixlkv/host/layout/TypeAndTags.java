package io.nixlkv.host.layout;

import io.nixlkv.api.EngineKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Element type and tags of an engine key, read back from a name in which {@code _} stands for {@code @} and for itself.
 *
 * @param dtype element type
 * @param tags in order
 */
record TypeAndTags(String dtype, List<EngineKey.Tag> tags) {

    /** LMCache's words for element types ({@code lmcache/utils.py}, 0.5.6), longer ones before their beginnings. */
    private static final List<String> DTYPES = List.of(
            "fp8_e4m3fnuz",
            "fp8_e5m2fnuz",
            "fp8_e4m3fn",
            "fp8_e5m2",
            "bfloat16",
            "half",
            "float",
            "double",
            "int8",
            "uint8",
            "int16",
            "int32",
            "int64",
            "bool");

    /** @return empty if {@code text} can come from more than one key */
    static Optional<TypeAndTags> of(String text) {
        if (text.indexOf('%') < 0) {
            return Optional.of(new TypeAndTags(text, List.of()));
        }
        for (String dtype : DTYPES) {
            if (text.startsWith(dtype + "_")) {
                return tags(text.substring(dtype.length() + 1)).map(tags -> new TypeAndTags(dtype, tags));
            }
        }
        return Optional.empty();
    }

    /** Between two {@code %} there is the end of one value, {@code _} and the next name; more than one {@code _} is ambiguous. */
    private static Optional<List<EngineKey.Tag>> tags(String text) {
        List<EngineKey.Tag> tags = new ArrayList<>();
        int percent = text.indexOf('%');
        String name = text.substring(0, percent);
        int value = percent + 1;
        for (int next = text.indexOf('%', value); next >= 0; next = text.indexOf('%', next + 1)) {
            int separator = text.indexOf('_', percent + 1);
            if (separator >= 0 && separator < next) {
                if (text.lastIndexOf('_', next) != separator) {
                    return Optional.empty();
                }
                tags.add(new EngineKey.Tag(name, text.substring(value, separator)));
                name = text.substring(separator + 1, next);
                value = next + 1;
            }
            percent = next;
        }
        tags.add(new EngineKey.Tag(name, text.substring(value)));
        return Optional.of(tags);
    }
}
