package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pf4j.PluginState;
import org.pf4j.PluginWrapper;

/** What stock PF4J 3.15.0 gets wrong. */
class StrategyPluginManagerTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyPluginIsStopped(int count) throws RefusedException {
        StrategyPluginManager manager = started(count);
        List<PluginWrapper> plugins = manager.getPlugins();
        assertEquals(Set.of(PluginState.STARTED), states(plugins));
        manager.stopPlugins();
        assertEquals(Set.of(PluginState.STOPPED), states(plugins));
        assertEquals(count, plugins.size());
        manager.unloadPlugins();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyPluginIsUnloadedInAnyState(int count) throws RefusedException {
        StrategyPluginManager manager = started(count);
        manager.getPlugins().get(0).setPluginState(PluginState.FAILED);
        List<String> unloaded = new ArrayList<>();
        manager.addPluginStateListener(event -> {
            if (event.getPluginState() == PluginState.UNLOADED) {
                unloaded.add(event.getPlugin().getPluginId());
            }
        });
        manager.unloadPlugins();
        assertEquals(List.of("plugin-2", "plugin-1", "plugin-0").subList(3 - count, 3), unloaded);
        assertEquals(List.of(), manager.getPlugins());
    }

    @Test
    void aJarThatVanishedAfterInspectionCostsNoOther() throws RefusedException, IOException {
        Map<String, PluginJar> jars = inspected(3);
        Files.delete(jars.get("plugin-1").path());
        StrategyPluginManager manager = new StrategyPluginManager(
                folder, jars, new PluginParentLoader(getClass().getClassLoader()));
        manager.loadPlugins();
        manager.startPlugins();
        assertEquals(Set.of("acme.Strategy"), manager.getExtensionClassNames("plugin-2"));
        RefusedException refused = assertThrows(
                RefusedException.class,
                () -> StrategyLoader.instance(manager.getPluginClassLoader("plugin-1"), "acme.Strategy"));
        assertTrue(refused.getMessage().contains("acme.Strategy"));
        StrategyLoader.instance(manager.getPluginClassLoader("plugin-2"), "acme.Strategy");
        manager.unloadPlugins();
    }

    private StrategyPluginManager started(int count) throws RefusedException {
        StrategyPluginManager manager = new StrategyPluginManager(
                folder, inspected(count), new PluginParentLoader(getClass().getClassLoader()));
        manager.loadPlugins();
        manager.startPlugins();
        return manager;
    }

    private Map<String, PluginJar> inspected(int count) throws RefusedException {
        Map<String, PluginJar> jars = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            Path jar = TestJar.at(folder, "plugin-" + i + ".jar")
                    .strategy(StrategySource.of("acme.Strategy", "S" + i))
                    .write();
            jars.put("plugin-" + i, JarInspection.inspect(jar));
        }
        return jars;
    }

    private static Set<PluginState> states(List<PluginWrapper> plugins) {
        return plugins.stream().map(PluginWrapper::getPluginState).collect(Collectors.toSet());
    }
}
