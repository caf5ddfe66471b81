package io.nixlkv.cli;

import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.CapabilityGate;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.host.discovery.Verdict;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Segment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One engine of a strategy as {@code nixlkv plugins} shows it.
 *
 * @param engine name; empty if the strategy offers none
 * @param segments NIXL segments, in NIXL's order
 * @param features what it can do
 * @param accepted whether the capability gate lets it pass
 * @param verdict the gate's reason
 * @param unavailable why it cannot be used now; empty if it can
 * @param lacking whether that is something this machine lacks
 */
record EngineView(
        String engine,
        List<String> segments,
        List<String> features,
        boolean accepted,
        String verdict,
        String unavailable,
        boolean lacking) {

    /** The engines that a strategy offers for a configuration; one without a name that tells why it offers none. */
    static List<EngineView> of(FoundStrategy found, HostConfig config) {
        List<EngineView> engines = new ArrayList<>();
        try {
            for (EngineOffer offer :
                    found.strategy().probe(config.strategyConfig(config.table(found.info()), found.info()))) {
                engines.add(of(offer));
            }
        } catch (ConfigException wrong) {
            return List.of(none("its configuration is wrong: " + wrong.getMessage()));
        } catch (RuntimeException | LinkageError broken) {
            return List.of(none("its probe failed with " + broken + ", a fault of the plugin"));
        }
        return engines.isEmpty() ? List.of(none("it offers no engine for this configuration")) : engines;
    }

    private static EngineView none(String why) {
        return new EngineView("", List.of(), List.of(), false, "no engine to judge", why, false);
    }

    private static EngineView of(EngineOffer offer) {
        List<String> segments = new ArrayList<>();
        if (!offer.segments().isEmpty()) {
            for (Segment segment : EnumSet.copyOf(offer.segments())) {
                segments.add(segment.name());
            }
        }
        List<String> features = new ArrayList<>();
        if (!offer.can().features().isEmpty()) {
            for (Feature feature : EnumSet.copyOf(offer.can().features())) {
                features.add(feature.name());
            }
        }
        Verdict verdict = CapabilityGate.judge(offer);
        return new EngineView(
                offer.engine(),
                segments,
                features,
                verdict.accepted(),
                verdict.reason(),
                offer.unavailable().orElse(""),
                offer.lacking());
    }

    /** {@code accepted: reason} or {@code refused: reason}. */
    String verdictText() {
        return (accepted ? "accepted: " : "refused: ") + verdict;
    }

    /** {@code yes} or {@code no: reason}. */
    String availableText() {
        return unavailable.isEmpty() ? "yes" : "no: " + unavailable;
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("engine", engine);
        document.put("segments", segments);
        document.put("features", features);
        document.put("accepted", accepted);
        document.put("verdict", verdict);
        document.put("available", unavailable.isEmpty());
        if (!unavailable.isEmpty()) {
            document.put("unavailable", unavailable);
        }
        return document;
    }
}
