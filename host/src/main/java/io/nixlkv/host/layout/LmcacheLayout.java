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
final class LmcacheLayout implements Layout {
    static final String ID = "lmcache";

    private static final String SEPARATOR = "-SEP-";
    private static final String SUFFIX = ".data";
    private static final int SHARD_CHARS = 6;

    private final NameForm form;
    private final boolean sharded;

    LmcacheLayout(NameForm form, boolean sharded) {
        this.form = form;
        this.sharded = sharded;
    }

    @Override
    public boolean padsDirectTransfers() {
        return true;
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public void name(KvKey key, NameBuffer out) {
        if (!(key instanceof ObjectKey object)) {
            throw Refusal.of(
                    ID,
                    key.text(),
                    "it takes an object key (model@rank@group@hash[@salt]), not "
                            + key.getClass().getSimpleName() + "; use layout raw for plain names");
        }
        out.clear();
        if (sharded) {
            shard(object, out);
        }
        try {
            if (form == NameForm.FILE) {
                fileModel(object, out);
                out.ascii("@0x");
            } else {
                out.utf8(object.model()).ascii('@');
            }
            out.hex(object.kvRank(), 8)
                    .ascii('@')
                    .hex(object.objectGroup(), 1)
                    .ascii('@')
                    .ascii(object.chunkHash());
            if (!object.salt().isEmpty()) {
                out.ascii('@').utf8(object.salt());
            }
        } catch (IllegalArgumentException unencodable) {
            throw Refusal.of(
                    ID,
                    object.text(),
                    "its model or salt is not Unicode, " + unencodable.getMessage() + "; correct it");
        }
        if (form == NameForm.FILE) {
            out.ascii(SUFFIX);
        }
        NameRules.broken(out).ifPresent(rule -> {
            throw Refusal.of(ID, object.text(), "its name " + rule);
        });
    }

    @Override
    public KvKey parseKey(String text) {
        ObjectKey key;
        try {
            key = ObjectKey.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw Refusal.of(ID, text, wrong.getMessage());
        }
        name(key, new NameBuffer());
        return key;
    }

    @Override
    public Optional<KvKey> parseName(String physicalName) {
        String name = physicalName;
        if (sharded) {
            if (name.length() < SHARD_CHARS || name.charAt(2) != '/' || name.charAt(5) != '/') {
                return Optional.empty();
            }
            name = name.substring(SHARD_CHARS);
        }
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
        return sharded && !inItsShard(physicalName, key.chunkHash()) ? Optional.empty() : Optional.of(key);
    }

    private static boolean inItsShard(String physicalName, String hash) {
        return hash.length() >= 4
                && physicalName.regionMatches(true, 0, hash, 0, 2)
                && physicalName.regionMatches(true, 3, hash, 2, 2);
    }

    private static void shard(ObjectKey key, NameBuffer out) {
        String hash = key.chunkHash();
        if (hash.length() < 4) {
            throw Refusal.of(
                    ID,
                    key.text(),
                    "shard_dirs needs a chunk hash of at least 2 bytes and this one has " + hash.length() / 2
                            + "; use longer hashes or shard_dirs = false");
        }
        out.ascii(hash, 0, 2).ascii('/').ascii(hash, 2, 4).ascii('/');
    }

    /** Only a replacement that LMCache, which reads separators from left to right, turns back into the same model is used. */
    private static void fileModel(ObjectKey key, NameBuffer out) {
        String model = key.model();
        if (model.contains(SEPARATOR) || model.contains("-SEP/")) {
            throw Refusal.of(
                    ID,
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
