package io.nixlkv.cli;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.List;
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
        HostConfig read = adapt(config.read(root.around().environment()));
        prepare();
        try (Session session = root.session()) {
            requireRight(read, session);
            return work(session, read);
        } catch (OutOfMemoryError full) {
            throw new WorkException(
                    "there is not enough memory: " + full.getMessage()
                            + "; give the JVM more with NIXLKV_OPTS, or less to do",
                    full);
        }
    }

    /** Told at once are the mistakes of the whole file, not only those of the part that is needed first. */
    private static void requireRight(HostConfig config, Session session) {
        List<StrategyInfo> strategies = new ArrayList<>();
        for (FoundStrategy found : session.host().plugins().strategies()) {
            strategies.add(found.info());
        }
        List<ConfigProblem> problems = config.validate(strategies);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /** The configuration with what the command's own options change. */
    HostConfig adapt(HostConfig read) {
        return read;
    }

    /** Whatever can be refused before a store is opened. */
    void prepare() {}

    /** The work; returns the exit code. */
    abstract int work(Session session, HostConfig config);

    /** Opens a store without room for values. */
    static KvStore openSmall(Session session, HostConfig config) {
        return session.host().open(ArenaNeed.sized(config, 1, ArenaNeed.SMALL));
    }

    /** The same for a command that only looks at what is stored; makes no directory. */
    static KvStore openStored(Session session, HostConfig config) {
        ReadPlace.require(session, config);
        return openSmall(session, config);
    }

    /** Says where a store without a configuration is: nobody named it. */
    void saySilentPlace(KvStore store) {
        Object directory = store.status().details().get("file_path");
        if (!configGiven() && directory != null) {
            result().message("no configuration is given; using " + directory);
        }
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

    /** Whether the option is given that says how much memory transfers get. */
    boolean l1SizeGiven() {
        return config.l1SizeGiven();
    }

    Surroundings around() {
        return root.around();
    }

    Result result() {
        return root.result();
    }
}
