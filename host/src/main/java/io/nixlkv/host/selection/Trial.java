package io.nixlkv.host.selection;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.PluginTable;
import io.nixlkv.host.discovery.CapabilityGate;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.host.discovery.Verdict;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One strategy tried with one configuration.
 *
 * @param found the strategy
 * @param config its parameters
 * @param engine the engine it would run; empty if none is usable
 * @param lacking without an engine: whether it is for what this machine lacks, and not for what the configuration says
 * @param why with an engine: the engines before it and what they lack, may be empty; without: why none is usable
 */
record Trial(FoundStrategy found, StrategyConfig config, Optional<EngineOffer> engine, boolean lacking, String why) {

    /** Only taken where no other engine of the strategy serves: a native stack of its own below ours. */
    private static final String LAST_ENGINE = "nixl";

    /** @throws io.nixlkv.host.config.ConfigException if a value of its parameters is wrong */
    static Trial of(FoundStrategy found, HostConfig host) {
        Optional<PluginTable> table = host.table(found.info());
        StrategyConfig config = host.strategyConfig(table, found.info());
        List<EngineOffer> offers;
        try {
            offers = List.copyOf(
                    Objects.requireNonNull(found.strategy().probe(config, memory(host)), "probe gave null"));
        } catch (StorageException silent) {
            return refused(
                    found,
                    config,
                    "its probe failed: " + silent.getMessage()
                            + ", a fault of the plugin or of the storage it looks at; mend that or set active = false");
        } catch (RuntimeException | Error broken) {
            return refused(
                    found,
                    config,
                    "its probe failed with " + broken + ", a fault of the plugin from " + found.source()
                            + "; replace it or set active = false");
        }
        String wanted = table.map(PluginTable::engine).orElse("");
        List<EngineOffer> judged =
                offers.stream().map(offer -> reaching(host, offer)).toList();
        return wanted.isEmpty() ? best(found, config, judged) : explicit(found, config, judged, wanted);
    }

    /** What the arena will be. */
    private static Segment memory(HostConfig host) {
        return host.store().gpu().isPresent() ? Segment.VRAM_SEG : Segment.DRAM_SEG;
    }

    /** The offer, not usable if it does not reach the memory for transfers. */
    private static EngineOffer reaching(HostConfig host, EngineOffer offer) {
        Segment memory = memory(host);
        boolean reached = memory == Segment.DRAM_SEG || offer.segments().contains(memory);
        return reached || offer.unavailable().isPresent()
                ? offer
                : offer.because("it does not report VRAM_SEG, which buffer_device = \"cuda:"
                        + host.store().gpu().getAsInt()
                        + "\" needs; memory of a GPU is for engine nixl of plugins that report it, as nixlkv plugins shows;"
                        + " for any other write buffer_device = \"cpu\" (nixl_buffer_device: cpu)");
    }

    /** For people: whether it can be taken, and why, starting with the strategy's name. */
    String reason() {
        String name = found.info().name();
        return engine.map(offer ->
                        name + " is usable with engine " + offer.engine() + (why.isEmpty() ? "" : " (" + why + ")"))
                .orElseGet(() -> name + " is not usable: " + why);
    }

    private static Trial refused(FoundStrategy found, StrategyConfig config, String why) {
        return new Trial(found, config, Optional.empty(), false, why);
    }

    private static Trial best(FoundStrategy found, StrategyConfig config, List<EngineOffer> offers) {
        Map<String, List<String>> faults = new LinkedHashMap<>();
        EngineOffer last = null;
        for (EngineOffer offer : offers) {
            Optional<String> fault = fault(offer);
            if (fault.isPresent()) {
                faults.computeIfAbsent(fault.get(), f -> new ArrayList<>()).add(offer.engine());
            } else if (!offer.engine().equals(LAST_ENGINE)) {
                return new Trial(found, config, Optional.of(offer), false, told(faults));
            } else if (last == null) {
                last = offer;
            }
        }
        if (last == null && faults.isEmpty()) {
            return refused(found, config, "it offers no engine for this configuration");
        }
        boolean lacking = last == null && offers.stream().allMatch(EngineOffer::lacking);
        return new Trial(found, config, Optional.ofNullable(last), lacking, told(faults));
    }

    /** Each fault once, with its engines. */
    private static String told(Map<String, List<String>> faults) {
        return faults.entrySet().stream()
                .map(fault -> (fault.getValue().size() == 1 ? "engine " : "engines ")
                        + String.join(", ", fault.getValue()) + ": " + fault.getKey())
                .collect(Collectors.joining("; "));
    }

    private static Trial explicit(FoundStrategy found, StrategyConfig config, List<EngineOffer> offers, String wanted) {
        Optional<EngineOffer> offer = offers.stream()
                .filter(candidate -> candidate.engine().equalsIgnoreCase(wanted))
                .findFirst();
        if (offer.isEmpty()) {
            List<String> engines = offers.stream().map(EngineOffer::engine).toList();
            return refused(
                    found,
                    config,
                    "it has no engine " + wanted + ", which its table asks for; it has "
                            + (engines.isEmpty() ? "none" : String.join(", ", engines)));
        }
        return fault(offer.get())
                .map(fault -> new Trial(
                        found,
                        config,
                        Optional.empty(),
                        offer.get().lacking(),
                        "engine " + wanted + ", which its table asks for: " + fault))
                .orElseGet(() -> new Trial(found, config, offer, false, "as its table asks"));
    }

    private static Optional<String> fault(EngineOffer offer) {
        Verdict verdict = CapabilityGate.judge(offer);
        return verdict.accepted() ? offer.unavailable() : Optional.of(verdict.reason());
    }
}
