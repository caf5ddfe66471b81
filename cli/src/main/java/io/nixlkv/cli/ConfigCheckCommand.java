package io.nixlkv.cli;

import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.ShownValue;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.host.selection.Selection;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyInfo;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code nixlkv config check}: everything that is wrong with a configuration, and what it means. Opens nothing. */
@Command(
        name = "check",
        description = {
            "Checks a configuration.",
            "Shows everything that is wrong with it, with file, line, column and key; when nothing is, the resolved"
                    + " configuration with the origin of each value. Secrets are masked. Nothing is opened or written. Ends with"
                    + " 1 when only the machine lacks something."
        })
final class ConfigCheckCommand implements Callable<Integer> {
    private final NixlkvCommand root;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CONFIG",
            description = "FILE, @FILE or JSON; default: what a command without --config uses.")
    private String config;

    private record Answer(
            HostConfig config,
            List<ConfigProblem> problems,
            List<ConfigProblem> warnings,
            List<String> selection,
            List<ShownValue> resolved,
            boolean lacking) {}

    ConfigCheckCommand(NixlkvCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        HostConfig read = ConfigSource.read(config, "CONFIG", root.around().environment());
        Answer answer;
        try (Session session = root.session()) {
            answer = check(session, read);
        }
        answer.problems.forEach(problem -> root.result().message(problem.toString()));
        answer.warnings.forEach(warning -> root.result().message("warning: " + warning));
        root.result().print(() -> document(answer), out -> text(answer, out));
        return answer.problems.isEmpty() ? ExitCode.OK : answer.lacking ? ExitCode.FAILED : ExitCode.USAGE;
    }

    private static Answer check(Session session, HostConfig config) {
        List<FoundStrategy> found = session.host().plugins().strategies();
        List<StrategyInfo> infos = new ArrayList<>();
        found.forEach(strategy -> infos.add(strategy.info()));
        List<ConfigProblem> problems = new ArrayList<>(config.validate(infos));
        Set<ConfigProblem> warnings = new LinkedHashSet<>(config.warnings(infos));
        List<String> selection = List.of();
        boolean lacks = false;
        Set<StrategyInfo> shown = new LinkedHashSet<>();
        if (problems.isEmpty()) {
            try {
                Selection selected = session.host().select(config);
                selection = selected.reasons();
                warnings.addAll(selected.warnings());
                shown.add(selected.strategy().info());
            } catch (ConfigException unusable) {
                problems.addAll(unusable.problems());
            } catch (StorageException lacking) {
                lacks = true;
                problems.add(new ConfigProblem(config.source(), 0, 0, "", lacking.getMessage()));
            }
        }
        infos.stream().filter(info -> config.table(info).isPresent()).forEach(shown::add);
        List<ShownValue> resolved = new ArrayList<>(config.resolved());
        shown.forEach(info -> resolved.addAll(config.resolved(config.table(info), info)));
        return new Answer(config, problems, List.copyOf(warnings), selection, resolved, lacks);
    }

    private static String counted(int problems) {
        return problems == 0 ? "no problems" : problems == 1 ? "1 problem" : problems + " problems";
    }

    private static void text(Answer answer, PrintStream out) {
        out.println(answer.config.source() + ": " + answer.config.dialect().words() + " configuration, "
                + counted(answer.problems.size()));
        answer.config.notes().forEach(note -> out.println("note: " + note));
        answer.selection.forEach(reason -> out.println("selection: " + reason));
        if (answer.problems.isEmpty()) {
            out.println();
            ShownValues.print(answer.resolved, out);
        }
    }

    private static Map<String, Object> document(Answer answer) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("source", answer.config.source());
        document.put("dialect", answer.config.dialect().words());
        document.put("ok", answer.problems.isEmpty());
        document.put("problems", findings(answer.problems));
        document.put("warnings", findings(answer.warnings));
        document.put("notes", answer.config.notes());
        document.put("selection", answer.selection);
        document.put("resolved", ShownValues.document(answer.resolved));
        return document;
    }

    private static List<Map<String, Object>> findings(List<ConfigProblem> problems) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (ConfigProblem problem : problems) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("file", problem.source());
            entry.put("line", problem.line());
            entry.put("column", problem.column());
            entry.put("key", problem.key());
            entry.put("sentence", problem.sentence());
            list.add(entry);
        }
        return list;
    }
}
