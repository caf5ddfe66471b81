package io.nixlkv.host.layout;

import io.nixlkv.api.PageKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads SGLang's names of the pages of one model. Immutable. */
final class PageNames {
    private static final int HASH_CHARS = 64;
    private static final String NUMBER = "(0|[1-9][0-9]{0,8})";
    private static final String PART = "(temporal|conv_(?:0|[1-9][0-9]{0,8})|k|v|0|[1-9][0-9]{0,8})";

    private final String model;
    private final String written;
    private final Pattern afterModel;

    /**
     * @param model as the engine calls it
     * @param morePools side pools beside SGLang's own
     */
    PageNames(String model, Collection<String> morePools) {
        this.model = model;
        written = model.replace('/', '-');
        List<String> pools = new ArrayList<>(PageKey.SIDE_POOLS);
        pools.addAll(morePools);
        afterModel = Pattern.compile("(?:_" + NUMBER + "_" + NUMBER + ")?(?:_("
                + String.join("|", pools.stream().map(Pattern::quote).toList()) + "))?(?:_" + PART + ")?");
    }

    boolean isOfModel(PageKey key) {
        return key.model().equals(written);
    }

    /** @throws IllegalArgumentException if it is not the name of an object of this model */
    PageKey parse(String name) {
        String start = "_" + written;
        if (name.startsWith(start, HASH_CHARS)) {
            Matcher after = afterModel.matcher(name.substring(HASH_CHARS + start.length()));
            if (after.matches()) {
                boolean ranked = after.group(1) != null;
                return new PageKey(
                        name.substring(0, HASH_CHARS),
                        written,
                        ranked ? Integer.parseInt(after.group(1)) : 0,
                        ranked ? Integer.parseInt(after.group(2)) : 0,
                        orEmpty(after.group(3)),
                        orEmpty(after.group(4)));
            }
        }
        throw new IllegalArgumentException("it is not hash_" + written
                + "[_rank_size][_pool][_part], the name of a page of model " + model
                + "; correct it, or open a store without or with another [store] model");
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    @Override
    public String toString() {
        return "model " + model;
    }
}
