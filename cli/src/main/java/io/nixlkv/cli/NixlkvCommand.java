package io.nixlkv.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command without a subcommand, and the options that every subcommand has. */
@Command(
        name = "nixlkv",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        usageHelpWidth = 100,
        description = "Stores and loads LLM KV-cache objects through storage-strategy plugins.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:success", "1:failed work", "2:wrong usage or configuration"})
final class NixlkvCommand implements Callable<Integer> {
    private final Surroundings around;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--plugins",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Folder of plugin jars; default: the distribution's.")
    private Path plugins;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "Print one JSON document on standard output and nothing else.")
    private boolean json;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Say more on standard error; twice: everything, with stack traces.")
    private boolean[] verbose = {};

    NixlkvCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    Surroundings around() {
        return around;
    }

    /** The folder to search. */
    Path pluginsFolder() {
        return plugins == null ? around.plugins() : plugins;
    }

    boolean verbose() {
        return verbose.length > 0;
    }

    Result result() {
        return new Result(around, json);
    }

    Session session() {
        if (plugins != null && Files.notExists(plugins)) {
            throw new UsageException("--plugins: there is no folder " + plugins);
        }
        return Session.start(pluginsFolder());
    }
}
