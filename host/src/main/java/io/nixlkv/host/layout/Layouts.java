package io.nixlkv.host.layout;

import io.nixlkv.host.config.LayoutSettings;
import io.nixlkv.host.config.NameForm;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Makes the layout of a store. */
public final class Layouts {
    /** Every layout's name. */
    public static final Set<String> IDS = Collections.unmodifiableSet(new TreeSet<>(List.of(
            LmcacheLayout.ID,
            LmcacheDynamicLayout.ID,
            LmcacheEngineLayout.ID,
            HicacheLayout.ID,
            DocaMemosLayout.ID,
            RawLayout.ID)));

    private Layouts() {}

    /** The layout that {@code settings} ask for, of a store of files. */
    public static Layout of(StoreSettings settings) {
        return of(settings, true);
    }

    /**
     * The layout that {@code settings} ask for.
     *
     * @param files whether objects are files; SGLang sorts only files into buckets
     * @throws StorageException with status UNSUPPORTED if there is no such layout
     */
    public static Layout of(StoreSettings settings, boolean files) {
        LayoutSettings more = settings.layoutSettings();
        NameRules rules = more.hashLongNames() ? NameRules.shorteningLong() : NameRules.refusingLong();
        return layout(settings.layout(), settings.nameForm(), settings.shardDirs(), more, files, rules);
    }

    /** {@link #of(StoreSettings)} as if the store had no model of its own: names of every model are read. */
    public static Layout ofAnyModel(StoreSettings settings) {
        LayoutSettings more = settings.layoutSettings().withModel("");
        NameRules rules = more.hashLongNames() ? NameRules.shorteningLong() : NameRules.refusingLong();
        return layout(settings.layout(), settings.nameForm(), settings.shardDirs(), more, true, rules);
    }

    /**
     * Every form in which objects of a layout may have been stored: sharded or not, with and without buckets, file and wire names.
     * The first that reads a name is right: the directories of a sharded name agree with its hash.
     *
     * @param layout the layout's name
     * @param more model and pools
     */
    public static List<Layout> formsOf(String layout, LayoutSettings more) {
        NameRules rules = NameRules.refusingLong();
        String id = layout.toLowerCase(Locale.ROOT);
        return switch (id) {
            case LmcacheLayout.ID ->
                List.of(
                        new LmcacheLayout(NameForm.FILE, true, rules),
                        new LmcacheLayout(NameForm.FILE, false, rules),
                        new LmcacheLayout(NameForm.WIRE, true, rules),
                        new LmcacheLayout(NameForm.WIRE, false, rules));
            case LmcacheDynamicLayout.ID ->
                List.of(
                        new LmcacheDynamicLayout(more.modelIfGiven(), false, rules),
                        new LmcacheDynamicLayout(more.modelIfGiven(), true, rules));
            case HicacheLayout.ID ->
                List.of(new HicacheLayout(pages(more), true, rules), new HicacheLayout(pages(more), false, rules));
            default -> List.of(layout(id, NameForm.FILE, false, more, true, rules));
        };
    }

    private static Layout layout(
            String id, NameForm form, boolean sharded, LayoutSettings more, boolean files, NameRules rules) {
        return switch (id) {
            case LmcacheLayout.ID -> new LmcacheLayout(form, sharded, rules);
            case LmcacheDynamicLayout.ID -> new LmcacheDynamicLayout(more.modelIfGiven(), sharded, rules);
            case LmcacheEngineLayout.ID -> new LmcacheEngineLayout(more.modelIfGiven(), rules);
            case HicacheLayout.ID -> new HicacheLayout(pages(more), files, rules);
            case DocaMemosLayout.ID -> new DocaMemosLayout(rules);
            case RawLayout.ID -> new RawLayout(rules);
            default ->
                throw new StorageException(
                        Status.UNSUPPORTED, "there is no layout " + id + "; use one of " + String.join(", ", IDS));
        };
    }

    private static Optional<PageNames> pages(LayoutSettings more) {
        return more.modelIfGiven().map(model -> new PageNames(model, more.sidePools()));
    }
}
