package io.nixlkv.host.hicache;

import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.HiCacheIdentity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells the objects of one model from those of others by their names, {@code hash_model[_rank_size][_pool][_part]}: any rank of any
 * size, any side pool. A model that is not MLA has a rank in every name, and one that is has it in Mamba's alone. Immutable.
 */
final class ModelNames {
    private static final int HASH_CHARS = 64;
    private static final String RANK = "_(0|[1-9][0-9]{0,8})_([1-9][0-9]{0,8})";
    private static final String PART = "(?:_(?:temporal|conv_(?:0|[1-9][0-9]{0,8})|k|v|0|[1-9][0-9]{0,8}))?";

    private final String start;
    private final Pattern ranked;
    private final Pattern shared;

    /** @param morePools side pools beside SGLang's own */
    ModelNames(HiCacheIdentity identity, Collection<String> morePools) {
        start = "_" + identity.model().replace('/', '-');
        List<String> pools = new ArrayList<>(PageKey.SIDE_POOLS);
        pools.addAll(morePools);
        String pool =
                "(?:_(?:" + String.join("|", pools.stream().map(Pattern::quote).toList()) + ")" + PART + ")?";
        String kv = "(?:_[kv])?";
        ranked = Pattern.compile(RANK + "(?:" + kv + "|" + pool + ")");
        shared = identity.mla() ? Pattern.compile("(?:" + kv + "|" + pool + ")") : null;
    }

    boolean isOfModel(String name) {
        if (!name.startsWith(start, HASH_CHARS)) {
            return false;
        }
        String rest = name.substring(HASH_CHARS + start.length());
        if (shared != null) {
            return shared.matcher(rest).matches() || rest.contains("_mamba") && isRanked(rest);
        }
        return isRanked(rest);
    }

    private boolean isRanked(String rest) {
        Matcher rank = ranked.matcher(rest);
        return rank.matches() && Integer.parseInt(rank.group(1)) < Integer.parseInt(rank.group(2));
    }
}
