package io.nixlkv.benchmarks;

import java.time.Duration;

/** A peer that runs as a child process for as long as it is open, and measures itself. */
final class PeerContender implements Contender {
    private static final Duration COMMAND = Duration.ofMinutes(2);

    private final PeerProcess process;
    private final Identity identity;

    /**
     * Waits for a peer and prepares its batch.
     *
     * @param process taken over: closed with this contender, and when the constructor fails
     * @param start how long until it must be ready; the first start may have to install it
     * @param place an empty directory for its files, or what the names of its objects begin with
     */
    PeerContender(PeerProcess process, Duration start, Setting setting, String place) {
        this.process = process;
        try {
            PeerReply first = process.answer("start", start);
            if (!(first instanceof PeerReply.Ready ready)) {
                throw unexpected(process.name(), "start", first);
            }
            identity = new Identity(process.name(), ready.version(), ready.threads());
            Workload workload = setting.workload();
            ask("prepare %d %d %s %s"
                    .formatted(
                            workload.objects(), workload.bytes(), setting.mode().label(), place));
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
