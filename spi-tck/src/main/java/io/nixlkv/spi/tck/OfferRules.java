package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.OFFERS;

import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** How a strategy presents itself. */
interface OfferRules extends UnderTest {
    @Test
    default void offersHostMemoryAndOneKindOfStorage() {
        Set<Segment> segments = store().offer().segments();
        boolean file = segments.contains(Segment.FILE_SEG);
        boolean object = segments.contains(Segment.OBJ_SEG);
        OFFERS.check(
                segments.contains(Segment.DRAM_SEG) && file != object,
                () -> "a storage engine has DRAM_SEG and exactly one of FILE_SEG and OBJ_SEG, not " + segments);
    }

    @Test
    default void declaresAWayToWrite() {
        OFFERS.check(
                store().has(Feature.CREATE) || store().has(Feature.REPLACE),
                () -> "neither CREATE nor REPLACE is declared");
    }

    @Test
    default void presentsItselfTheSameEachTime() {
        StorageStrategy strategy = store().setup().strategy();
        OFFERS.check(strategy.info().equals(strategy.info()), () -> "info() is not constant");
        List<String> engines = strategy.probe(store().config()).stream()
                .map(EngineOffer::engine)
                .toList();
        OFFERS.check(
                engines.stream().distinct().count() == engines.size(), () -> "an engine is offered twice: " + engines);
    }

    @Test
    default void probesADefaultConfigurationWithoutThrowing() {
        StorageStrategy strategy = store().setup().strategy();
        StrategyConfig defaults = ParameterValues.of(strategy.info().parameters(), Map.of());
        for (EngineOffer offer : strategy.probe(defaults)) {
            OFFERS.check(
                    offer.unavailable().map(reason -> !reason.isBlank()).orElse(true),
                    () -> "engine " + offer.engine() + " is unavailable without a reason");
        }
    }

    @Test
    default void refusesToOpenAnEngineItDoesNotOffer() {
        OpenContext context = new OpenContext(
                "no-such-engine", store().config(), store().area(0, 1).arena(), 1);
        StorageException refused = Assertions.assertThrows(
                StorageException.class,
                () -> store().setup().strategy().open(context).close(),
                "rule OFFERS: open() must refuse an engine that is not offered");
        OFFERS.check(
                refused.status() == Status.UNSUPPORTED || refused.status() == Status.INVALID,
                () -> "expected UNSUPPORTED or INVALID but got " + refused.status());
    }
}
