package io.nixlkv.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code nixlkv config}: commands about configurations. */
@Command(name = "config", description = "Checks a configuration, or writes a sample or the reference of all keys.")
final class ConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "a command is missing: check, sample or reference");
    }
}
