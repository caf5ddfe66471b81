package io.nixlkv.host.config;

import java.util.List;
import java.util.Optional;

/**
 * A configuration file as it was written.
 *
 * @param source its name in messages
 * @param top values above the first table
 * @param store values of {@code [store]}
 * @param storeOrigin where {@code [store]} begins; empty if there is none
 * @param plugins the {@code [plugin.NAME]} tables in the order of the file
 * @param findings what the syntax alone shows
 * @param complete whether nothing was lost to a mistake in the syntax
 */
record RawConfig(
        String source,
        List<RawValue> top,
        List<RawValue> store,
        Optional<Origin> storeOrigin,
        List<RawTable> plugins,
        Findings findings,
        boolean complete) {

    /** A plugin's table. */
    record RawTable(String name, List<RawValue> values, Origin origin) {}

    static RawConfig empty(String source) {
        return new RawConfig(source, List.of(), List.of(), Optional.empty(), List.of(), new Findings(), true);
    }
}
