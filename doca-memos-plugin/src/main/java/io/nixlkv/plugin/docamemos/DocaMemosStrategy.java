package io.nixlkv.plugin.docamemos;

import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.plugin.support.nixl.NixlObjectBackend;
import io.nixlkv.plugin.support.nixl.NixlObjectNames;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.plugin.support.nixl.NixlTrial;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Key-value storage on an NVMe device through DOCA. Names are 32 hexadecimal digits: the device's keys have 128 bits. */
public final class DocaMemosStrategy implements StorageStrategy {
    /** NIXL's name of the plugin. */
    public static final String NAME = "DOCA_MEMOS";

    private static final Set<Segment> SEGMENTS = Set.of(Segment.DRAM_SEG, Segment.OBJ_SEG);
    private static final Pattern NGUID = Pattern.compile("[0-9a-fA-F]{32}");
    private static final String DEVICE = "device_name";
    private static final String TASKS = "num_tasks";
    private static final String GUID = "nguid";
    private static final String QUERY = "query_mem_mode";
    private static final String PAGES = "min_free_hugepages";
    private static final int MAX_BATCH = 1024;

    private static final NixlObjectNames NAMES = NixlObjectNames.of(
            Pattern.compile("[0-9a-f]{32}"),
            "must be 32 lower-case hexadecimal digits, the key of the device; layout doca-memos makes such names",
            32);

    private static final StrategyInfo INFO = new StrategyInfo(
            NAME,
            Set.of("DOCA"),
            "Key-value storage through NVIDIA DOCA MEMOS. Objects stay until the device's own rules remove them.",
            0,
            List.of(
                    Parameter.of(DEVICE, Type.STRING).meaning("NIXL: the device, such as /dev/nvme0n1; required."),
                    Parameter.of(TASKS, Type.INTEGER)
                            .defaultValue("8192")
                            .range(1, (1L << 32) - 1)
                            .meaning("NIXL: tasks of a worker; the device may have room for fewer."),
                    Parameter.of(GUID, Type.STRING)
                            .meaning("NIXL: namespace, 32 hexadecimal digits; all zero by default."),
                    Parameter.of(QUERY, Type.CHOICE)
                            .defaultValue("actual")
                            .choices("actual", "assume_success")
                            .meaning("NIXL: with assume_success every key counts as present, stored or not."),
                    Parameter.of(PAGES, Type.INTEGER)
                            .defaultValue("1")
                            .range(0, 1 << 20)
                            .meaning("Free 2 MiB hugepages without which it is not started; 0 to not look.")));

    private final HugePages pages;

    /** On this system. */
    public DocaMemosStrategy() {
        this(HugePages.SYSTEM);
    }

    DocaMemosStrategy(HugePages pages) {
        this.pages = pages;
    }

    @Override
    public StrategyInfo info() {
        return INFO;
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        Capabilities can = NixlObjectBackend.capabilities(NAMES, Capabilities.MAX_OBJECT_BYTES, MAX_BATCH);
        EngineOffer offer = EngineOffer.usable(NixlSettings.ENGINE, SEGMENTS, can);
        return List.of(wrong(config)
                .map(offer::because)
                .orElseGet(() -> offer.without(lacking(config).or(() -> trial(config)))));
    }

    private static Optional<String> wrong(StrategyConfig config) {
        if (config.text(DEVICE).isEmpty()) {
            return Optional.of(DEVICE + " is required, such as /dev/nvme0n1");
        }
        String guid = config.text(GUID);
        return guid.isEmpty() || NGUID.matcher(guid).matches()
                ? Optional.empty()
                : Optional.of(GUID + " must be 32 hexadecimal digits, not \"" + guid + "\"");
    }

    /** All that is missing at once. */
    private Optional<String> lacking(StrategyConfig config) {
        List<String> problems = new ArrayList<>();
        pages.lacking(config.number(PAGES)).ifPresent(problems::add);
        NixlEngine.problem(NAME).ifPresent(problems::add);
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; and ", problems));
    }

    private static Optional<String> trial(StrategyConfig config) {
        return NixlTrial.problem(settings(config), Storage.OBJECTS, null, false);
    }

    private static NixlSettings settings(StrategyConfig config) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put(DEVICE, config.text(DEVICE));
        parameters.put(TASKS, Long.toString(config.number(TASKS)));
        parameters.put(QUERY, config.text(QUERY).toLowerCase(Locale.ROOT));
        // a missing key must fail: the slice would hold anything
        parameters.put("ignore_read_not_found", "false");
        parameters.put("convert_key_to_128bit", "false");
        if (!config.text(GUID).isEmpty()) {
            parameters.put(GUID, config.text(GUID));
        }
        return NixlSettings.of(NAME, parameters, (int) Math.min(config.number(TASKS), MAX_BATCH));
    }

    @Override
    public StorageBackend open(OpenContext context) {
        if (!context.engine().equals(NixlSettings.ENGINE)) {
            throw new StorageException(
                    Status.INVALID,
                    NAME + " has no engine \"" + context.engine() + "\"; it has " + NixlSettings.ENGINE);
        }
        StrategyConfig config = context.config();
        wrong(config).ifPresent(problem -> {
            throw new StorageException(Status.INVALID, NAME + ": " + problem);
        });
        lacking(config).or(() -> trial(config)).ifPresent(problem -> {
            throw new StorageException(Status.UNAVAILABLE, NAME + " engine " + NixlSettings.ENGINE + ": " + problem);
        });
        return NixlObjectBackend.open(NAME, settings(config), NAMES, context.arena());
    }
}
