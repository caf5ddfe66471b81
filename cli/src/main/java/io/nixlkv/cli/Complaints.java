package io.nixlkv.cli;

import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.spi.StorageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever ended a command into an exit code, lines on standard error and, with {@code --json}, an error document. */
final class Complaints implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private final Surroundings around;
    private final String[] args;
    private final boolean json;
    private final boolean traces;

    /** @param args looked at, not parsed: a command line that cannot be parsed must be answered too */
    Complaints(String[] args, Surroundings around) {
        this.around = around;
        this.args = args.clone();
        json = List.of(args).contains("--json");
        traces = OneLineLog.verbosity(args) > 1;
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        return complain(
                ExitCode.USAGE,
                "usage",
                List.of(withoutInlineJson(unknownCommand(wrong).orElse(wrong.getMessage())) + hint(wrong) + "; see "
                        + name + " --help"),
                wrong.getCause() == null ? null : wrong);
    }

    /** A word where a command is expected, with the command that may have been meant. */
    private static Optional<String> unknownCommand(ParameterException wrong) {
        CommandLine line = wrong.getCommandLine();
        if (line.getSubcommands().isEmpty()
                || !(wrong instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()
                || unmatched.isUnknownOption()) {
            return Optional.empty();
        }
        String word = unmatched.getUnmatched().get(0);
        String parent = line.getParent() == null ? "" : line.getCommandName() + " ";
        List<String> near = unmatched.getSuggestions();
        return Optional.of("there is no command " + parent + word
                + (near.isEmpty() ? "" : "; did you mean " + parent + near.get(0) + "?"));
    }

    /** Options of a command are unknown before its name. */
    private static String hint(ParameterException wrong) {
        boolean early = wrong instanceof UnmatchedArgumentException unmatched
                && wrong.getCommandLine().getParent() == null
                && unmatched.getUnmatched().stream().anyMatch(arg -> arg.startsWith("--config"));
        return early ? "; --config follows the command, as in \"nixlkv ls --config FILE\"" : "";
    }

    /** An inline configuration may hold secrets, so it is not repeated. */
    private String withoutInlineJson(String message) {
        String shown = message;
        for (String arg : args) {
            int brace = arg.indexOf('{');
            if (brace >= 0) {
                shown = shown.replace(arg, arg.substring(0, brace) + "{…}").replace(arg.substring(brace), "{…}");
            }
        }
        return shown;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof ParameterException wrong) {
            return handleParseException(wrong, new String[0]);
        }
        if (failure instanceof ConfigException config) {
            List<String> lines = new ArrayList<>();
            for (ConfigProblem problem : config.problems()) {
                lines.add(OptionNames.text(problem));
            }
            return complain(ExitCode.USAGE, "configuration", lines, failure);
        }
        if (failure instanceof UsageException) {
            return complain(ExitCode.USAGE, "usage", List.of(failure.getMessage()), failure);
        }
        if (failure instanceof StorageException storage) {
            return complain(ExitCode.FAILED, storage.status().name(), List.of(failure.getMessage()), failure);
        }
        if (failure instanceof WorkException) {
            return complain(ExitCode.FAILED, "FAILED", List.of(failure.getMessage()), failure);
        }
        return unexpected(failure);
    }

    /** Whatever else ended the command; errors of the JVM and of plugins as well. */
    int unexpected(Throwable failure) {
        String what = failure instanceof LinkageError
                ? "a class is missing or does not fit, in a plugin or in the distribution: "
                : "unexpected failure: ";
        return complain(ExitCode.FAILED, "FAILED", List.of(what + failure + "; repeat with -vv to see where"), failure);
    }

    private int complain(int code, String kind, List<String> lines, Throwable failure) {
        for (String line : lines) {
            around.err().println("nixlkv: " + line);
        }
        if (traces && failure != null) {
            failure.printStackTrace(around.err());
        }
        if (json) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("error", String.join("\n", lines));
            document.put("kind", kind);
            if (lines.size() > 1) {
                document.put("problems", lines);
            }
            around.out().println(Result.render(document));
        }
        return code;
    }
}
