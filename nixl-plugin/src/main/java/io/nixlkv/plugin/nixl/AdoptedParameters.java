package io.nixlkv.plugin.nixl;

import io.nixlkv.plugin.support.file.FileParameters;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StrategyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Keys of a native plugin of which nobody here knows more than it says itself. */
final class AdoptedParameters {
    /** Key of what is passed through. */
    static final String PASSED = "parameters";

    /** Key of the descriptors in flight. */
    static final String SLOTS = "slots";

    private AdoptedParameters() {}

    static List<Parameter> with(List<Parameter> own) {
        List<Parameter> all = new ArrayList<>(own);
        all.add(
                Parameter.of(PASSED, Type.STRING)
                        .defaultValue("")
                        .secret()
                        .meaning(
                                "Further parameters for the native plugin, \"key=value, key=value\"; passed through, not checked."));
        all.add(Parameter.of(SLOTS, Type.INTEGER)
                .defaultValue("64")
                .range(1, 65536)
                .meaning("Transfers that a worker has in flight; the native plugin must have room for them."));
        return FileParameters.with(null, all);
    }

    /** What the plugin tells of; names that are ours are passed under {@link #PASSED} only. */
    static List<Parameter> ofOptions(Map<String, String> options) {
        List<Parameter> parameters = new ArrayList<>();
        List<String> taken = with(List.of()).stream().map(Parameter::name).toList();
        new TreeMap<>(options).forEach((key, value) -> {
            if (!taken.contains(key)) {
                Parameter.Builder parameter = Parameter.of(key, Type.STRING);
                parameters.add((value.isEmpty() ? parameter : parameter.defaultValue(value))
                        .meaning("NIXL: passed to the native plugin, not checked."));
            }
        });
        return parameters;
    }

    /** What is wrong with {@link #PASSED}; never shows a value, which may be a secret. */
    static Optional<String> problem(StrategyConfig config) {
        for (String pair : pairs(config)) {
            if (pair.indexOf('=') < 1) {
                return Optional.of(
                        PASSED + " must be a list such as \"key=value, key=value\"; one part has no key or no =");
            }
        }
        return Optional.empty();
    }

    static Map<String, String> passed(StrategyConfig config, Map<String, String> options) {
        Map<String, String> passed = new TreeMap<>();
        for (Parameter each : ofOptions(options)) {
            if (config.given(each.name())) {
                passed.put(each.name(), config.text(each.name()));
            }
        }
        for (String pair : pairs(config)) {
            int at = pair.indexOf('=');
            passed.put(pair.substring(0, at).strip(), pair.substring(at + 1).strip());
        }
        return passed;
    }

    private static List<String> pairs(StrategyConfig config) {
        return List.of(config.text(PASSED).split(",")).stream()
                .map(String::strip)
                .filter(pair -> !pair.isEmpty())
                .toList();
    }
}
