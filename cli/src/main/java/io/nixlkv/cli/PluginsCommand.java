package io.nixlkv.cli;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.host.discovery.PluginCatalog;
import io.nixlkv.host.discovery.Rejection;
import io.nixlkv.nativeio.NixlSearch;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code nixlkv plugins}: what was found, and whether it can be used. */
@Command(
        name = "plugins",
        description =
                "Shows the storage strategies that were found, with the capability gate's verdict on each engine. Ends with 1 when"
                        + " the machine lacks what every engine of NAME needs, nothing usable is found, or NIXL is not where"
                        + " the environment says.")
final class PluginsCommand implements Callable<Integer> {
    private static final List<String> NIXL_VARIABLES = List.of("NIXL_HOME", "NIXL_PREFIX", "NIXL_LIBRARY_DIR");

    private final NixlkvCommand root;

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Show the parameters of this strategy.")
    private String name;

    private record Offered(FoundStrategy found, List<EngineView> engines) {}

    PluginsCommand(NixlkvCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        HostConfig config = HostConfig.defaults(root.around().environment());
        try (Session session = root.session()) {
            PluginCatalog plugins = session.host().plugins();
            if (name == null) {
                return overview(plugins, config);
            }
            FoundStrategy found = plugins.find(name)
                    .orElseThrow(() -> new UsageException(
                            "no plugin found answers to the name " + name + "; see nixlkv plugins for those found"));
            List<EngineView> engines = EngineView.of(found, config);
            root.result()
                    .print(
                            () -> {
                                Map<String, Object> document = document(found, engines);
                                document.put(
                                        "parameters",
                                        ParameterTable.document(found.info().parameters()));
                                return document;
                            },
                            out -> detail(found, engines, out));
            return engines.stream().allMatch(EngineView::lacking) ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    private int overview(PluginCatalog plugins, HostConfig config) {
        List<Offered> engines = new ArrayList<>();
        for (FoundStrategy found : plugins.strategies()) {
            engines.add(new Offered(found, EngineView.of(found, config)));
        }
        root.result().print(() -> document(engines, plugins.rejections()), out -> {
            if (engines.isEmpty()) {
                out.println("no storage strategy was found in " + root.pluginsFolder() + " or on the class path");
            } else {
                table(engines, out);
            }
            if (!plugins.rejections().isEmpty()) {
                out.println();
                out.println("rejected:");
                for (Rejection rejection : plugins.rejections()) {
                    out.println("  " + rejection.source() + ": " + rejection.reason());
                }
            }
        });
        return engines.isEmpty() ? ExitCode.FAILED : withNixlWhereItIsNamed();
    }

    /** Who names a place of NIXL expects its plugins in the list. */
    private int withNixlWhereItIsNamed() {
        Map<String, String> environment = root.around().environment();
        boolean named = NIXL_VARIABLES.stream()
                .anyMatch(variable -> !environment.getOrDefault(variable, "").isBlank());
        NixlSearch.Outcome nixl = NixlSearch.run(environment);
        if (!named || nixl.installation().isPresent()) {
            return ExitCode.OK;
        }
        root.result().message(nixl.reason());
        return ExitCode.FAILED;
    }

    private static void table(List<Offered> engines, PrintStream out) {
        TextTable table = new TextTable("STRATEGY", "VERSION", "ENGINE", "SEGMENTS", "VERDICT", "AVAILABLE", "JAR");
        Notes notes = new Notes();
        for (Offered offered : engines) {
            for (EngineView view : offered.engines) {
                table.row(
                        offered.found.info().name(),
                        offered.found.version(),
                        view.engine().isEmpty() ? "-" : view.engine(),
                        String.join(" ", view.segments()),
                        view.accepted() ? "accepted" : notes.cell("refused", view.verdict()),
                        view.unavailable().isEmpty() ? "yes" : notes.cell("no", view.unavailable()),
                        offered.found.source());
            }
        }
        table.print(out);
        notes.print(out);
    }

    private static void detail(FoundStrategy found, List<EngineView> engines, PrintStream out) {
        out.println(found.info().name() + " " + found.version() + " (" + found.source() + "): "
                + found.info().summary());
        if (!found.info().aliases().isEmpty()) {
            out.println("also called: "
                    + String.join(", ", new java.util.TreeSet<>(found.info().aliases())));
        }
        out.println();
        TextTable table = new TextTable("ENGINE", "SEGMENTS", "VERDICT", "AVAILABLE", "FEATURES");
        for (EngineView view : engines) {
            table.row(
                    view.engine().isEmpty() ? "-" : view.engine(),
                    String.join(" ", view.segments()),
                    view.verdictText(),
                    view.availableText(),
                    String.join(" ", view.features()));
        }
        table.print(out);
        out.println();
        ParameterTable.print(found.info().parameters(), out);
    }

    private static Map<String, Object> document(List<Offered> engines, List<Rejection> rejections) {
        List<Map<String, Object>> plugins = new ArrayList<>();
        for (Offered offered : engines) {
            plugins.add(document(offered.found, offered.engines));
        }
        List<Map<String, Object>> rejected = new ArrayList<>();
        for (Rejection rejection : rejections) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("jar", rejection.source());
            entry.put("reason", rejection.reason());
            rejected.add(entry);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("plugins", plugins);
        document.put("rejected", rejected);
        return document;
    }

    private static Map<String, Object> document(FoundStrategy found, List<EngineView> views) {
        List<Map<String, Object>> engines = new ArrayList<>();
        for (EngineView view : views) {
            engines.add(view.document());
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", found.info().name());
        document.put("aliases", new java.util.TreeSet<>(found.info().aliases()));
        document.put("version", found.version());
        document.put("jar", found.source());
        document.put("summary", found.info().summary());
        document.put("engines", engines);
        return document;
    }
}
