package io.nixlkv.cli;

import io.nixlkv.host.config.ConfigProblem;
import java.util.Map;

/** The options behind the keys that a command sets; who gave an option knows no key. */
final class OptionNames {
    private static final String OF_OPTIONS = "call";

    private static final Map<String, String> BY_KEY = Map.of(
            "l3_cleaner_high_watermark", "--high-watermark",
            "l3_cleaner_low_watermark", "--low-watermark",
            "l3_cleaner_capacity_gb", "--capacity-gb",
            "model", "--model",
            "tp_rank", "--tp-rank",
            "tp_size", "--tp-size",
            "arena_gb", "--l1-size-gb",
            "l1_align_bytes", "--l1-align-bytes",
            "arena_align_bytes", "--l1-align-bytes",
            "host_layout", "--host-layout");

    private OptionNames() {}

    /** The problem in one line, with the option's name where one is at fault. */
    static String text(ConfigProblem problem) {
        String key = problem.key().substring(problem.key().lastIndexOf('.') + 1);
        String option = BY_KEY.get(key);
        return problem.source().equals(OF_OPTIONS) && option != null
                ? option + ": " + named(problem.sentence())
                : problem.toString();
    }

    private static String named(String sentence) {
        String named = sentence;
        for (Map.Entry<String, String> entry : BY_KEY.entrySet()) {
            named = named.replaceAll("\\b" + entry.getKey() + "\\b", entry.getValue());
        }
        return named;
    }
}
