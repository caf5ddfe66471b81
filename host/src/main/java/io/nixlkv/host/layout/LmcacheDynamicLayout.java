package io.nixlkv.host.layout;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.RawKey;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Layout {@code lmcache-dynamic}: the names of LMCache's L2 adapter {@code nixl_store_dynamic}, {@code
 * org--model_0000002a_7_00112233[@salt].bin}, optionally below {@code 00/11/}.
 *
 * <p>{@code --} may stand for {@code /} or for itself. Where the store has no configured model, a model with {@code --} is refused,
 * and a name with {@code --} is listed as it is.
 */
final class LmcacheDynamicLayout extends KeyedLayout<ObjectKey> {
    static final String ID = "lmcache-dynamic";

    private static final String SLASH = "--";
    private static final Pattern NAME =
            Pattern.compile("([^@/]+)_([0-9a-f]{8,15})_([0-9a-f]{1,15})_((?:[0-9a-f]{2})+)(?:@([^@/]+))?\\.bin");

    private final Optional<String> model;
    private final boolean sharded;
    private final NameRules rules;

    LmcacheDynamicLayout(Optional<String> model, boolean sharded, NameRules rules) {
        super(ID, ObjectKey.class, "an object key (model@rank@group@hash[@salt])", rules);
        this.model = model;
        this.sharded = sharded;
        this.rules = rules;
    }

    @Override
    public boolean canBeSharded() {
        return true;
    }

    @Override
    public boolean isOfOtherSharding(String physicalName) {
        return new LmcacheDynamicLayout(model, !sharded, rules)
                .read(physicalName)
                .isPresent();
    }

    @Override
    void write(ObjectKey key, NameBuffer out) {
        requireModel(model, key.model(), key);
        if (model.isEmpty() && (key.model().contains(SLASH) || key.model().contains("-/"))) {
            throw refusal(
                    key.text(),
                    "its model contains the text that stands for \"/\" in file names (\"--\"), so it could share its"
                            + " file with another model; set [store] model to it");
        }
        if (sharded) {
            HashShards.write(ID, key, out);
        }
        out.utf8(key.model().replace("/", SLASH)).ascii('_');
        out.hex(key.kvRank(), 8).ascii('_').hex(key.objectGroup(), 1).ascii('_').ascii(key.chunkHash());
        if (!key.salt().isEmpty()) {
            out.ascii('@').utf8(key.salt());
        }
        out.ascii(".bin");
    }

    @Override
    ObjectKey parse(String text) {
        return ObjectKey.parse(text);
    }

    @Override
    Optional<KvKey> read(String physicalName) {
        Matcher name = NAME.matcher((sharded ? HashShards.below(physicalName) : Optional.of(physicalName)).orElse(""));
        if (!name.matches() || sharded && !HashShards.isIn(physicalName, name.group(4))) {
            return Optional.empty();
        }
        String written = name.group(1);
        if (model.isEmpty() && written.contains(SLASH)) {
            return Optional.of(new RawKey(physicalName));
        }
        if (model.isPresent() && !model.get().replace("/", SLASH).equals(written)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ObjectKey(
                    model.orElse(written),
                    Long.parseLong(name.group(2), 16),
                    Long.parseLong(name.group(3), 16),
                    name.group(4),
                    name.group(5) == null ? "" : name.group(5)));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
