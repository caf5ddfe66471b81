package io.nixlkv.host.selection;

import static io.nixlkv.host.selection.FakeStrategy.file;
import static io.nixlkv.host.selection.FakeStrategy.found;
import static io.nixlkv.host.selection.FakeStrategy.gated;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.host.discovery.Rejection;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTest {
    private static final String VARIABLE = "SGLANG_HICACHE_NIXL_BACKEND_PLUGIN";

    private final FoundStrategy fast =
            found("FAST", 50, Set.of("HFAST"), config -> List.of(file("ring").because("no mount at /fast")));
    private final FoundStrategy disk =
            found("DISK", 40, file("ring").because("kernel too old"), gated("odd"), file("nio"));
    private final FoundStrategy mute = found("MUTE", 30, file("nio"));
    private final FoundStrategy named = found("NAMED", 0, file("nio"));
    private final List<FoundStrategy> all = List.of(mute, named, disk, fast);

    private static Selection select(String toml, Map<String, String> environment, List<FoundStrategy> strategies) {
        return Selector.select(
                HostConfig.parse("[store]\n" + toml, "c.toml", environment),
                strategies,
                List.of(),
                name -> strategies.stream()
                        .filter(found -> found.info().answersTo(name))
                        .findFirst());
    }

    private Selection select(String toml) {
        return select(toml, Map.of(), all);
    }

    private String refused(String toml, Map<String, String> environment) {
        return assertThrows(ConfigException.class, () -> select(toml, environment, all))
                .getMessage();
    }

    @Test
    void autoTriesByRankAndKeepsItsReasons() {
        Selection selection = select("");
        assertEquals(disk, selection.strategy());
        assertEquals("nio", selection.engine().engine());
        assertEquals(
                List.of(
                        "FAST is not usable: engine ring: no mount at /fast",
                        "DISK is usable with engine nio (engine ring: kernel too old; engine odd: does not offer DRAM_SEG"
                                + " (its segments: FILE_SEG))"),
                selection.reasons());
        assertEquals(List.of(), selection.warnings());
        assertEquals(1, selection.config().number("depth"));
    }

    @Test
    void memoryOfAGpuTakesAnEngineThatReportsIt() {
        FoundStrategy both = found("BOTH", 20, file("nio"), FakeStrategy.device("nixl"));
        String gpu = "buffer_device = 'cuda:1'\nbuffer_bytes = 4096\n";
        Selection selection = select(gpu, Map.of(), List.of(mute, both));
        assertEquals("nixl", selection.engine().engine());
        String why = "it does not report VRAM_SEG, which buffer_device = \"cuda:1\" needs";
        assertTrue(
                selection.reasons().get(0).startsWith("MUTE is not usable: engine nio: " + why), selection.toString());
        assertEquals("nio", select("", Map.of(), List.of(both)).engine().engine());
        String refused = assertThrows(
                        ConfigException.class,
                        () -> select(gpu + "[plugin.both]\nactive = true\nengine = 'nio'", Map.of(), List.of(both)))
                .getMessage();
        assertTrue(refused.contains("engine nio, which its table asks for: " + why), refused);
    }

    @Test
    void autoSkipsWhatATableSwitchesOffAndUsesTheTableOfWhatItTakes() {
        Selection selection = select("[plugin.disk]\nactive = false\n[plugin.mute]\ndepth = 7\n");
        assertEquals(mute, selection.strategy());
        assertEquals(7, selection.config().number("depth"));
        assertEquals("c.toml:5:1", selection.config().origin("depth"));
        assertEquals(
                "DISK is not tried: active = false in [plugin.disk]",
                selection.reasons().get(1));
    }

    @Test
    void whatSeveralEnginesLackIsToldOnce() {
        FoundStrategy lost = found(
                "LOST",
                60,
                file("ring").because("no /mnt"),
                file("aio").because("too old"),
                file("nio").because("no /mnt"));
        ConfigException refused = assertThrows(
                ConfigException.class, () -> select("[plugin.lost]\nactive = true", Map.of(), List.of(lost)));
        assertEquals(
                "c.toml:2:1: plugin.lost: LOST is not usable: engines ring, nio: no /mnt; engine aio: too old",
                refused.getMessage());
    }

    @Test
    void autoNeverTakesWhatIsOnlyUsedByName() {
        ConfigException refused = assertThrows(ConfigException.class, () -> select("", Map.of(), List.of(named)));
        assertEquals(
                "c.toml: no storage plugin is for automatic selection; name one with active = true; found are: NAMED",
                refused.getMessage());
        assertEquals(named, select("[plugin.named]\nactive = true").strategy());
    }

    @Test
    void nothingUsableIsToldWithAllReasons() {
        FoundStrategy broken = found("BROKEN", 5, Set.of(), config -> {
            throw new IllegalStateException("boom");
        });
        FoundStrategy empty = found("EMPTY", 4);
        ConfigException refused =
                assertThrows(ConfigException.class, () -> select("", Map.of(), List.of(empty, broken, fast)));
        assertEquals(
                "c.toml: no storage plugin is usable: FAST is not usable: engine ring: no mount at /fast; BROKEN is not"
                        + " usable: its probe failed with java.lang.IllegalStateException: boom, a fault of the plugin"
                        + " from broken.jar; replace it or set active = false; EMPTY is not usable: it offers no engine"
                        + " for this configuration; correct one of these causes",
                refused.getMessage());
        assertTrue(assertThrows(ConfigException.class, () -> select("", Map.of(), List.of()))
                .getMessage()
                .contains("no plugin was found at all; check the plugins folder"));
    }

    @Test
    void theNativeEngineIsTakenOnlyWhereNoOtherServes() {
        FoundStrategy both = found("BOTH", 9, file("nixl"), file("nio"));
        assertEquals("nio", select("", Map.of(), List.of(both)).engine().engine());
        FoundStrategy nativeOnly = found("ONLY", 9, file("nixl"), file("nio").because("gone"));
        assertEquals("nixl", select("", Map.of(), List.of(nativeOnly)).engine().engine());
        assertEquals(
                "nixl",
                select("[plugin.both]\nengine = 'NIXL'", Map.of(), List.of(both))
                        .engine()
                        .engine());
    }

    @Test
    void anActiveTableComesBeforeVariableAndRank() {
        Selection selection = select("[plugin.Named]\nactive = \"True\"\n", Map.of(VARIABLE, "MUTE"), all);
        assertEquals(named, selection.strategy());
        assertEquals(List.of("NAMED is usable with engine nio"), selection.reasons());
    }

    @Test
    void ofSeveralActiveTheFirstUsableIsTakenWithAWarning() {
        Selection selection =
                select("[plugin.hfast]\nactive=true\n[plugin.mute]\nactive=true\n[plugin.disk]\nactive=true");
        assertEquals(mute, selection.strategy());
        assertEquals(2, selection.reasons().size());
        assertEquals(
                List.of(
                        "c.toml:4:1: plugin.mute: several plugins are active (hfast, mute, disk); the first usable one is"
                                + " taken"),
                selection.warnings().stream().map(ConfigProblem::toString).toList());
    }

    /** C16. */
    @Test
    void explicitNamesThatCannotServeAreErrorsWithTheListOfWhatIsThere() {
        String state = "found are: MUTE, NAMED, DISK, FAST";
        assertEquals(
                "c.toml:2:1: plugin.s3: no plugin found answers to the name s3; " + state,
                refused("[plugin.s3]\nactive = true", Map.of()));
        assertEquals(
                "c.toml:2:1: plugin.h-fast: no plugin found answers to the name h-fast; did you mean fast?; " + state,
                refused("[plugin.h-fast]\nactive = true", Map.of()));
        assertEquals(
                "c.toml:2:1: plugin.fast: FAST is not usable: engine ring: no mount at /fast",
                refused("[plugin.fast]\nactive = true", Map.of()));
        assertEquals(
                "$" + VARIABLE + ": no plugin found answers to the name s3; " + state,
                refused("", Map.of(VARIABLE, "s3")));
        assertEquals(
                "$" + VARIABLE + ": FAST is not usable: engine ring: no mount at /fast",
                refused("", Map.of(VARIABLE, "hfast")));
    }

    @Test
    void aNameThatARejectedJarMayHaveIsToldWithTheReason() {
        ConfigException none = assertThrows(
                ConfigException.class,
                () -> Selector.select(
                        HostConfig.parse("[plugin.posix]\nactive = true", "c.toml", Map.of()),
                        List.of(),
                        List.of(new Rejection("posix.jar", "needs Java 99"), new Rejection("obj.jar", "is torn")),
                        name -> Optional.empty()));
        assertEquals(
                "c.toml:1:1: plugin.posix: no plugin found answers to the name posix; no plugin was found at all; check"
                        + " the plugins folder; rejected are: posix.jar (needs Java 99), obj.jar (is torn)",
                none.getMessage());
    }

    @Test
    void whatAProbeFindsIsToldAtTheKeyThatItNames() {
        FoundStrategy picky = found("PICKY", 0, file("nio").because("depth 7 is odd; set it to 8"));
        String table = "[plugin.picky]\nactive = true\nengine = \"nio\"\ndepth = 7";
        assertEquals(
                "c.toml:5:1: plugin.picky.depth: PICKY is not usable: engine nio, which its table asks for: depth 7 is odd;"
                        + " set it to 8",
                assertThrows(ConfigException.class, () -> select(table, Map.of(), List.of(picky)))
                        .getMessage());
    }

    @Test
    void fallbackAutoIsTakenOnlyWhenAsked() {
        Selection selection = select("fallback = 'auto'\n[plugin.fast]\nactive = true\n[plugin.disk]\nactive = false");
        assertEquals(mute, selection.strategy());
        assertEquals(
                List.of(
                        "FAST is not usable: engine ring: no mount at /fast",
                        "DISK is not tried: active = false in [plugin.disk]",
                        "MUTE is usable with engine nio"),
                selection.reasons());
        assertTrue(selection.warnings().get(0).toString().startsWith("c.toml:3:1: plugin.fast: FAST is not usable"));
    }

    @Test
    void anEngineAskedForIsTakenOrRefused() {
        assertEquals(
                List.of("DISK is usable with engine nio (as its table asks)"),
                select("[plugin.disk]\nactive = true\nengine = \"NIO\"").reasons());
        String unusable = refused("[plugin.disk]\nactive = true\nengine = \"ring\"", Map.of());
        assertTrue(
                unusable.startsWith(
                        "c.toml:4:1: plugin.disk.engine: DISK is not usable: engine ring, which its table asks"
                                + " for: kernel too old"),
                unusable);
        String unknown = refused("[plugin.disk]\nactive = true\nengine = \"aio\"", Map.of());
        assertTrue(unknown.contains("it has no engine aio, which its table asks for; it has ring, odd, nio"), unknown);
        String refusedByGate = refused("[plugin.disk]\nactive = true\nengine = \"odd\"", Map.of());
        assertTrue(refusedByGate.contains("does not offer DRAM_SEG"), refusedByGate);
        Selection other = select("[plugin.disk]\nengine = \"ring\"");
        assertEquals(mute, other.strategy(), "auto goes on to the next plugin and says why");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NAMED", "named", " Named "})
    void theVariableNamesAPlugin(String text) {
        Selection selection = select("[plugin.disk]\ndepth = 3", Map.of(VARIABLE, text), all);
        assertEquals(named, selection.strategy());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "auto", "AUTO", " "})
    void theVariableMayLeaveItToAuto(String text) {
        assertEquals(disk, select("", Map.of(VARIABLE, text), all).strategy());
    }

    @Test
    void theVariableMayNameWhatIsSwitchedOffForAuto() {
        assertEquals(
                disk,
                select("[plugin.disk]\nactive = false", Map.of(VARIABLE, "disk"), all)
                        .strategy());
    }

    @Test
    void mistakesAreToldBeforeAnythingIsProbed() {
        int before = ((FakeStrategy) disk.strategy()).probes;
        assertEquals(
                "c.toml:2:1: store.num_workers: must be in 1 … 256, not \"0\"\n"
                        + "c.toml:4:1: plugin.disk.depth: must be in 1 … 9, not \"12\"\n"
                        + "c.toml:5:1: plugin.Disk: is the same plugin as [plugin.disk] (c.toml:3:1); keep one table",
                refused("num_workers = 0\n[plugin.disk]\ndepth = 12\n[plugin.Disk]\ndepth = 1", Map.of()));
        assertEquals(before, ((FakeStrategy) disk.strategy()).probes);
    }

    @Test
    void aWrongVariableOfOnePluginDoesNotStopAuto() {
        Selection selection = select("", Map.of("DISK_DEPTH", "99"), all);
        assertEquals(mute, selection.strategy());
        assertEquals(
                "DISK is not usable: $DISK_DEPTH: plugin.disk.depth: must be in 1 … 9, not \"99\"",
                selection.reasons().get(1));
    }

    @Test
    void aNameMayBeAdopted() {
        FoundStrategy adopted = found("INFINIA", 0, file("nixl"));
        Selection selection = Selector.select(
                HostConfig.parse("[plugin.infinia]\nactive = true\ndepth = 4", "c.toml", Map.of()),
                all,
                List.of(),
                name -> name.equals("infinia") ? Optional.of(adopted) : Optional.empty());
        assertEquals(adopted, selection.strategy());
        assertEquals(4, selection.config().number("depth"));
    }

    @Test
    void whatTheMachineLacksIsNoMistakeOfTheConfiguration() {
        FoundStrategy lacking = found(
                "LACKING", 0, file("lib").without(Optional.of("liblack.so was not found; install it")), file("nio"));
        List<FoundStrategy> strategies = List.of(lacking, disk);
        StorageException missing = assertThrows(
                StorageException.class,
                () -> select("[plugin.lacking]\nactive = true\nengine = \"lib\"\n", Map.of(), strategies));
        assertEquals(Status.UNAVAILABLE, missing.status());
        assertTrue(missing.getMessage().contains("liblack.so was not found; install it"), missing.getMessage());
        assertEquals("c.toml:4:1", missing.getCause().getMessage().substring(0, 10));
        assertFalse(missing.getMessage().contains("c.toml"), missing.getMessage());
        assertThrows(
                ConfigException.class,
                () -> select("[plugin.disk]\nactive = true\nengine = \"ring\"\n", Map.of(), strategies));
        assertEquals(
                disk,
                select("fallback = \"auto\"\n[plugin.lacking]\nactive = true\nengine = \"lib\"\n", Map.of(), strategies)
                        .strategy());
    }
}
