package io.nixlkv.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Puts the command line together. Reading a command's annotations costs start-up time, so only the commands that are named among the
 * arguments are added; all of them when none is.
 */
final class CommandTree {
    private static final List<String> NAMES =
            List.of("plugins", "bench", "put", "get", "exists", "rm", "ls", "import", "clean", "status", "config");

    private CommandTree() {}

    static CommandLine of(String[] args, Surroundings around) {
        NixlkvCommand root = new NixlkvCommand(around);
        CommandLine line = new CommandLine(root);
        for (String name : wanted(args)) {
            line.addSubcommand(name, name.equals("config") ? configuration(root) : command(name, root));
        }
        line.setExpandAtFiles(false); // --config @FILE is ours
        Complaints complaints = new Complaints(args, around);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        line.setOut(new java.io.PrintWriter(around.out(), true));
        line.setErr(new java.io.PrintWriter(around.err(), true));
        line.setExpandAtFiles(false); // @FILE is a configuration, not a file of arguments
        line.setParameterExceptionHandler(complaints);
        line.setExecutionExceptionHandler(complaints);
        return line;
    }

    private static List<String> wanted(String[] args) {
        List<String> given = Arrays.asList(args);
        List<String> wanted = new ArrayList<>(NAMES);
        wanted.retainAll(given);
        return wanted.isEmpty() ? NAMES : wanted;
    }

    private static CommandLine configuration(NixlkvCommand root) {
        return new CommandLine(new ConfigCommand())
                .addSubcommand("check", new ConfigCheckCommand(root))
                .addSubcommand("sample", new ConfigSampleCommand(root))
                .addSubcommand("reference", new ConfigReferenceCommand(root));
    }

    private static Object command(String name, NixlkvCommand root) {
        return switch (name) {
            case "plugins" -> new PluginsCommand(root);
            case "bench" -> new BenchCommand(root);
            case "put" -> new PutCommand(root);
            case "get" -> new GetCommand(root);
            case "exists" -> new ExistsCommand(root);
            case "rm" -> new RmCommand(root);
            case "ls" -> new LsCommand(root);
            case "import" -> new ImportCommand(root);
            case "clean" -> new CleanCommand(root);
            case "status" -> new StatusCommand(root);
            default -> throw new IllegalArgumentException(name);
        };
    }
}
