package io.nixlkv.host.config;

import java.util.List;
import java.util.Map;

/**
 * A configuration in the words of the product's own file, whatever dialect it was written in; not yet checked.
 *
 * @param source its name in messages
 * @param dialect how it was written
 * @param presets defaults that differ from the declared ones, see {@link Dialect#presets()}
 * @param top values above the first table
 * @param store values of {@code [store]}
 * @param plugins the {@code [plugin.NAME]} tables in the order of the file
 * @param flat values for whichever plugin is chosen
 * @param names how the key at a place was really written, where that differs
 * @param notes what the dialect has to say besides, one line each
 * @param findings what reading alone shows
 * @param complete whether nothing was lost to a mistake in the syntax
 */
record RawConfig(
        String source,
        Dialect dialect,
        Map<String, String> presets,
        List<RawValue> top,
        List<RawValue> store,
        List<RawTable> plugins,
        List<RawValue> flat,
        Map<Origin, String> names,
        List<String> notes,
        Findings findings,
        boolean complete) {

    /** A plugin's table. */
    record RawTable(String name, List<RawValue> values, Origin origin) {}
}
