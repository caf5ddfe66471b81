package io.nixlkv.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A peer that runs as a child process for as long as it is open, and measures itself. */
final class PeerContender implements Contender {
    private static final Duration COMMAND = Duration.ofMinutes(2);

    private final PeerProcess process;
    private final Identity identity;

    /**
     * Starts a peer and prepares its batch.
     *
     * @param name as on the command line
     * @param command starts the peer
     * @param start how long until it must be ready; the first start may have to install it
     * @param directory an empty one, for its files
     * @param errors file for what it prints as errors
     */
    PeerContender(String name, List<String> command, Duration start, Setting setting, Path directory, Path errors) {
        process = new PeerProcess(name, command, errors);
        try {
            PeerReply first = process.answer("start", start);
            if (!(first instanceof PeerReply.Ready ready)) {
                throw unexpected(name, "start", first);
            }
            identity = new Identity(name, ready.version(), ready.threads());
            Workload workload = setting.workload();
            ask("prepare %d %d %s %s"
                    .formatted(
                            workload.objects(), workload.bytes(), setting.mode().label(), directory.toAbsolutePath()));
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public long store(long round) {
        return ask("store " + round);
    }

    @Override
    public long load(long round) {
        return ask("load " + round);
    }

    @Override
    public void verify(long round) {
        ask("verify " + round);
    }

    @Override
    public void drop(long round) {
        ask("drop " + round);
    }

    private long ask(String command) {
        PeerReply reply = process.ask(command, COMMAND);
        if (reply instanceof PeerReply.Ok ok) {
            return ok.nanos();
        }
        throw unexpected(identity.name(), command, reply);
    }

    private ContenderException unexpected(String name, String command, PeerReply reply) {
        String said = process.lastErrors();
        String reason = reply instanceof PeerReply.Failed failed ? failed.reason() : "unexpected answer " + reply;
        return new ContenderException(
                name + " at \"" + command + "\": " + reason + (said.isEmpty() ? "" : "; it said: " + said));
    }

    @Override
    public void close() {
        process.close();
    }
}
