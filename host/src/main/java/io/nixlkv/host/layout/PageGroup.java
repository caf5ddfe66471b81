package io.nixlkv.host.layout;

import io.nixlkv.api.PageKey;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which objects of layout {@code hicache} make sense together only: the parts, side pools and ranks of one page. SGLang's cleaner
 * groups names alike ({@code nixl_cleaner.py}).
 */
public final class PageGroup {
    private static final List<String> POOLS = PageKey.SIDE_POOLS.stream()
            .sorted((a, b) -> b.length() - a.length())
            .toList();
    private static final Pattern SIDE_POOL =
            Pattern.compile("_(?:" + String.join("|", POOLS) + ")(?:_(?:temporal|conv_[0-9]+|k|v|[0-9]+))?\\z");
    private static final Pattern KV = Pattern.compile("_[kv]\\z");
    private static final Pattern RANK = Pattern.compile("_[0-9]+_[0-9]+\\z");

    private PageGroup() {}

    /** The part of a name, without bucket, that all objects of its page share. */
    public static String of(String name) {
        String group = name;
        for (Pattern suffix : List.of(SIDE_POOL, KV, RANK)) {
            group = suffix.matcher(group).replaceFirst("");
        }
        return group;
    }
}
