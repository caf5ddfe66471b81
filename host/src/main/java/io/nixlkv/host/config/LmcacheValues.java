package io.nixlkv.host.config;

import io.nixlkv.host.config.document.Node;
import io.nixlkv.host.config.document.Node.Entry;
import io.nixlkv.spi.Parameter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** The keys of an LMCache file, read by what they mean; what is wrong is reported once. */
final class LmcacheValues {
    private final Node.Table root;
    private final List<Entry> extra;
    private final RawConfigBuilder raw;

    LmcacheValues(Node.Table root, List<Entry> extra, RawConfigBuilder raw) {
        this.root = root;
        this.extra = extra;
        this.raw = raw;
    }

    RawConfigBuilder raw() {
        return raw;
    }

    /** Where the file begins, for what is missing in it. */
    Origin begin() {
        return root.origin();
    }

    /** A key outside of {@code extra_config}, if it has a value. */
    Optional<Entry> top(String key) {
        return root.entry(key).filter(LmcacheValues::given);
    }

    /** A key in {@code extra_config}, if it has a value. */
    Optional<Entry> inside(String key) {
        return extra.stream()
                .filter(entry -> entry.key().equals(key))
                .findFirst()
                .filter(LmcacheValues::given);
    }

    static String written(String key) {
        return LmcacheKeys.EXTRA + "." + key;
    }

    /** A boolean; empty if it is absent or, which is reported, something else. */
    Optional<Boolean> flag(Optional<Entry> entry, String written) {
        Optional<String> text = entry.flatMap(LmcacheValues::scalar)
                .filter(value -> value.kind() == Node.Kind.BOOLEAN || value.kind() == Node.Kind.TEXT)
                .map(Node.Scalar::text)
                .filter(value -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"));
        if (entry.isPresent() && text.isEmpty()) {
            raw.problem(entry.get().origin(), written, "must be true or false");
        }
        return text.map(Parameter::flag);
    }

    /** Whether it is true; what it is otherwise is somebody else's to judge. */
    static boolean isTrue(Optional<Entry> entry) {
        return entry.flatMap(LmcacheValues::scalar)
                .filter(value -> value.text().equalsIgnoreCase("true"))
                .isPresent();
    }

    /** A whole number from {@code least} on; empty if it is absent or, which is reported, something else. */
    Optional<Long> whole(Optional<Entry> entry, String written, long least) {
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        Optional<Long> number = scalar(entry.get())
                .filter(value -> value.kind() == Node.Kind.NUMBER || value.kind() == Node.Kind.TEXT)
                .map(Node.Scalar::text)
                .filter(text -> text.matches("[+-]?\\d{1,18}"))
                .map(text -> new BigDecimal(text).longValueExact())
                .filter(value -> value >= least);
        if (number.isEmpty()) {
            raw.problem(entry.get().origin(), written, "must be a whole number, at least " + least);
        }
        return number;
    }

    static Optional<Node.Scalar> scalar(Entry entry) {
        return entry.value() instanceof Node.Scalar scalar ? Optional.of(scalar) : Optional.empty();
    }

    /** The text of a scalar that is no list or table. */
    static Optional<String> text(Optional<Entry> entry) {
        return entry.flatMap(LmcacheValues::scalar).map(Node.Scalar::text);
    }

    private static boolean given(Entry entry) {
        return RawValue.of(entry.key(), entry).given();
    }
}
