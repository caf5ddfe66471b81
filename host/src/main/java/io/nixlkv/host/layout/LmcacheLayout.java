package io.nixlkv.host.layout;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.host.config.NameForm;
import java.util.Optional;

/**
 * Layout {@code lmcache}: the names of LMCache's {@code fs}, {@code fs_native} and {@code nixl_native} adapters.
 *
 * <ul>
 *   <li>file form: {@code org-SEP-model@0x0000002a@7@00112233[@salt].data}
 *   <li>wire form: {@code org/model@0000002a@7@00112233[@salt]}
 *   <li>sharded: either of them below {@code 00/11/}, the first two bytes of the chunk hash
 * </ul>
 *
 * LMCache also takes keys whose file name stands for another key as well; those are refused here.
 */
final class LmcacheLayout extends KeyedLayout<ObjectKey> {
    static final String ID = "lmcache";

    private static final String SEPARATOR = "-SEP-";
    private static final String SUFFIX = ".data";

    private final NameForm form;
    private final boolean sharded;

    LmcacheLayout(NameForm form, boolean sharded) {
        this(form, sharded, NameRules.refusingLong());
    }

    LmcacheLayout(NameForm form, boolean sharded, NameRules rules) {
        super(ID, ObjectKey.class, "an object key (model@rank@group@hash[@salt])", rules);
        this.form = form;
        this.sharded = sharded;
    }

    @Override
    public boolean padsDirectTransfers() {
        return true;
    }

    @Override
    public boolean canBeSharded() {
        return true;
    }

    @Override
    public boolean isOfOtherSharding(String physicalName) {
        return new LmcacheLayout(form, !sharded).parseName(physicalName).isPresent();
    }

    @Override
    void write(ObjectKey key, NameBuffer out) {
        if (sharded) {
            HashShards.write(ID, key, out);
        }
        if (form == NameForm.FILE) {
            fileModel(key, out);
            out.ascii("@0x");
        } else {
            out.utf8(key.model()).ascii('@');
        }
        out.hex(key.kvRank(), 8).ascii('@').hex(key.objectGroup(), 1).ascii('@').ascii(key.chunkHash());
        if (!key.salt().isEmpty()) {
            out.ascii('@').utf8(key.salt());
        }
        if (form == NameForm.FILE) {
            out.ascii(SUFFIX);
        }
    }

    @Override
    ObjectKey parse(String text) {
        return ObjectKey.parse(text);
    }

    @Override
    Optional<KvKey> read(String physicalName) {
        Optional<String> inner = sharded ? HashShards.below(physicalName) : Optional.of(physicalName);
        if (inner.isEmpty()) {
            return Optional.empty();
        }
        String name = inner.get();
        if (form == NameForm.FILE) {
            if (!name.endsWith(SUFFIX) || name.indexOf('/') >= 0) {
                return Optional.empty();
            }
            name = name.substring(0, name.length() - SUFFIX.length());
            int model = name.indexOf('@');
            if (model < 0) {
                return Optional.empty();
            }
            name = name.substring(0, model).replace(SEPARATOR, "/") + name.substring(model);
        }
        ObjectKey key;
        try {
            key = ObjectKey.parse(name);
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
        return sharded && !HashShards.isIn(physicalName, key.chunkHash()) ? Optional.empty() : Optional.of(key);
    }

    /** Only a replacement that LMCache, which reads separators from left to right, turns back into the same model is used. */
    private void fileModel(ObjectKey key, NameBuffer out) {
        String model = key.model();
        if (model.contains(SEPARATOR) || model.contains("-SEP/")) {
            throw refusal(
                    key.text(),
                    "its model contains the text that stands for \"/\" in file names (\"-SEP-\"), so it would share"
                            + " its file with another model; rename the model or use name_form = \"wire\"");
        }
        int from = 0;
        for (int slash = model.indexOf('/'); slash >= 0; slash = model.indexOf('/', from)) {
            out.utf8(model, from, slash).ascii(SEPARATOR);
            from = slash + 1;
        }
        out.utf8(model, from, model.length());
    }
}
