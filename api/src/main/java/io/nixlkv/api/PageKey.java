package io.nixlkv.api;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SGLang's key of one stored object of one page ({@code hicache_nixl.py}): the page's hash and what the connector appends to it. Its
 * text is SGLang's name of the object: {@code hash_model[_rank_size][_pool][_part]}.
 *
 * <p>The name is all the identity there is: SGLang writes {@code -} for {@code /} in model names, and so does this key. Two keys are
 * equal if and only if their texts are.
 *
 * @param pageHash 64 lower-case hex digits
 * @param model model name, {@code /} turned into {@code -}; may be empty, as in SGLang
 * @param tpRank below {@code tpSize}; 0 where the name has no rank
 * @param tpSize 0 where the name has no rank: pages of MLA models, which all ranks share
 * @param pool side pool, such as {@code mamba} or {@code indexer}; empty for the KV pool
 * @param part {@code k}, {@code v}, and in side pools also {@code temporal}, {@code conv_N} or a number; empty for a whole page
 */
public record PageKey(String pageHash, String model, int tpRank, int tpSize, String pool, String part)
        implements KvKey {

    /** SGLang's side pools ({@code PoolName} in {@code hicache_storage.py}, SGLang 0.5.23). */
    public static final List<String> SIDE_POOLS = List.of(
            "mamba",
            "swa",
            "auxiliary_swa",
            "indexer",
            "deepseek_v4_c1",
            "deepseek_v4_c1_indexer",
            "deepseek_v4_c1_indexer_scale",
            "deepseek_v4_c2",
            "deepseek_v4_c2_indexer",
            "deepseek_v4_c2_indexer_scale",
            "deepseek_v4_c4",
            "deepseek_v4_c4_indexer",
            "deepseek_v4_c4_indexer_scale",
            "deepseek_v4_c128",
            "deepseek_v4_c4_rope",
            "deepseek_v4_c128_rope",
            "deepseek_v4_c4_state",
            "deepseek_v4_c4_indexer_state",
            "deepseek_v4_c128_state",
            "draft",
            "draft_indexer",
            "draft_swa");

    private static final int HASH_CHARS = 64;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{" + HASH_CHARS + "}");
    private static final Pattern POOL = Pattern.compile("[a-z][a-z0-9_]*");
    private static final String PART = "temporal|conv_(?:0|[1-9][0-9]{0,8})|k|v|0|[1-9][0-9]{0,8}";
    private static final String NUMBER = "(0|[1-9][0-9]{0,8})";

    private static final Pattern KNOWN_POOL =
            Pattern.compile("_(" + String.join("|", longestFirst()) + ")(?:_(" + PART + "))?\\z");
    private static final Pattern RANK = Pattern.compile("_" + NUMBER + "_" + NUMBER + "\\z");

    /** @throws IllegalArgumentException if a part is not as described */
    public PageKey {
        Objects.requireNonNull(pool);
        model = model.replace('/', '-');
        if (!HASH.matcher(pageHash).matches()) {
            throw new IllegalArgumentException(
                    "a page hash is " + HASH_CHARS + " lower-case hex digits: \"" + pageHash + "\"");
        }
        if (model.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("model must be a name without NUL: \"" + model + "\"");
        }
        if (tpRank < 0 || tpSize < 0 || tpSize == 0 && tpRank != 0 || tpSize > 0 && tpRank >= tpSize) {
            throw new IllegalArgumentException("rank must be below size: " + tpRank + " of " + tpSize);
        }
        if (!pool.isEmpty() && !POOL.matcher(pool).matches()) {
            throw new IllegalArgumentException("a side pool is a lower-case word: \"" + pool + "\"");
        }
        boolean fits = pool.isEmpty()
                ? part.isEmpty() || part.equals("k") || part.equals("v")
                : part.isEmpty() || part.matches(PART);
        if (!fits) {
            throw new IllegalArgumentException("\"" + part + "\" is not a part of "
                    + (pool.isEmpty()
                            ? "a KV page; it has k and v"
                            : "side pool " + pool + "; parts are k, v, temporal, conv_N and numbers"));
        }
    }

    /** The object of a whole page of the KV pool, or one part of it. */
    public PageKey(String pageHash, String model, int tpRank, int tpSize, String part) {
        this(pageHash, model, tpRank, tpSize, "", part);
    }

    /**
     * Reads a name, guided by the names of SGLang's side pools. A model name that ends like a rank or a pool is read as one; the key
     * still stands for the same object.
     *
     * @throws IllegalArgumentException if it does not start with a page hash and {@code _}
     */
    public static PageKey parse(String text) {
        String rest = afterHash(text);
        String pool = "";
        String part = "";
        Matcher side = KNOWN_POOL.matcher(rest);
        if (side.find()) {
            pool = side.group(1);
            part = orEmpty(side.group(2));
            rest = rest.substring(0, side.start());
        } else if (rest.endsWith("_k") || rest.endsWith("_v")) {
            part = rest.substring(rest.length() - 1);
            rest = rest.substring(0, rest.length() - 2);
        }
        Matcher rank = RANK.matcher(rest);
        boolean ranked = rank.find() && rank.start() > 0 && number(rank.group(1)) < number(rank.group(2));
        if (ranked) {
            int at = rank.start();
            return of(text, rest.substring(0, at), number(rank.group(1)), number(rank.group(2)), pool, part);
        }
        return rest.isEmpty()
                ? of(text, "_" + text.substring(HASH_CHARS + 1), 0, 0, "", "")
                : of(text, rest, 0, 0, pool, part);
    }

    private static String afterHash(String text) {
        if (text.length() <= HASH_CHARS
                || text.charAt(HASH_CHARS) != '_'
                || !HASH.matcher(text.substring(0, HASH_CHARS)).matches()) {
            throw new IllegalArgumentException("the name of a page starts with " + HASH_CHARS
                    + " lower-case hex digits and _, and not like \"" + text + "\"");
        }
        return text.substring(HASH_CHARS);
    }

    private static PageKey of(String text, String model, int rank, int size, String pool, String part) {
        return new PageKey(text.substring(0, HASH_CHARS), model.substring(1), rank, size, pool, part);
    }

    private static List<String> longestFirst() {
        return SIDE_POOLS.stream().sorted((a, b) -> b.length() - a.length()).toList();
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder(HASH_CHARS + model.length() + pool.length() + 16);
        text.append(pageHash).append('_').append(model);
        if (tpSize > 0) {
            text.append('_').append(tpRank).append('_').append(tpSize);
        }
        if (!pool.isEmpty()) {
            text.append('_').append(pool);
        }
        if (!part.isEmpty()) {
            text.append('_').append(part);
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return text();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PageKey that && pageHash.equals(that.pageHash) && text().equals(that.text());
    }

    /** Objects of one page share a hash code: there are few of them. */
    @Override
    public int hashCode() {
        return pageHash.hashCode();
    }
}
