package io.nixlkv.cli;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.HostConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that works on one open store. */
abstract class StoreCommand implements Callable<Integer> {
    private final NixlkvCommand root;

    @Mixin
    private ConfigOption config = new ConfigOption();

    StoreCommand(NixlkvCommand root) {
        this.root = root;
    }

    @Override
    public final Integer call() {
        HostConfig read = config.read(root.around().environment());
        prepare();
        try (Session session = root.session()) {
            return work(session, read);
        }
    }

    /** Whatever can be refused before a store is opened. */
    void prepare() {}

    /** The work; returns the exit code. */
    abstract int work(Session session, HostConfig config);

    /** Opens a store without room for values. */
    static KvStore openSmall(Session session, HostConfig config) {
        return session.host().open(ArenaNeed.sized(config, 1, ArenaNeed.SMALL));
    }

    boolean verbose() {
        return root.verbose();
    }

    boolean configGiven() {
        return config.given(root.around().environment());
    }

    /** The option of that name; null if it is not given. */
    Integer l1AlignBytes() {
        return config.l1AlignBytes();
    }

    Surroundings around() {
        return root.around();
    }

    Result result() {
        return root.result();
    }
}
