package io.nixlkv.cli;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nixlkv get}: writes one object into a file. */
@Command(
        name = "get",
        description =
                "Writes the bytes of one object into a file. The file appears whole, and only if the object was loaded.")
final class GetCommand extends StoreCommand {
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "The object's length, where the store holds it padded; default: asked of the store.")
    private Long size;

    @Parameters(index = "0", paramLabel = "KEY", description = "The object's key, as the layout writes it.")
    private String key;

    @Parameters(index = "1", paramLabel = "FILE", description = "Where to write; - for standard output.")
    private String file;

    private LocalTarget target;

    GetCommand(NixlkvCommand root) {
        super(root);
    }

    @Override
    void prepare() {
        if (size != null && (size < 1 || size > Capabilities.MAX_OBJECT_BYTES)) {
            throw new UsageException("--size must be in 1 … " + Capabilities.MAX_OBJECT_BYTES + ", not " + size);
        }
        if (file.equals("-") && result().json()) {
            throw new UsageException("--json and FILE - both want standard output; write the object to a file");
        }
        target = LocalTarget.of(file, around().out());
    }

    @Override
    int work(Session session, HostConfig config) {
        ReadPlace.require(session, config);
        long length;
        if (size != null) {
            length = size;
        } else {
            ObjectResult found;
            try (KvStore store = openSmall(session, config)) {
                found = store.lookup(List.of(Keys.parse(store, key)), CallOptions.DEFAULT)
                        .get(0);
            }
            if (found.status() != Status.DONE) {
                return refuse(found);
            }
            if (found.storedLength() < 1 || found.storedLength() > Capabilities.MAX_OBJECT_BYTES) {
                return refuse(new ObjectResult(
                        Status.INVALID,
                        found.storedLength(),
                        key + ": the store does not tell a usable length (" + found.storedLength() + "); give --size"));
            }
            length = found.storedLength();
        }
        try (KvStore store = session.host().open(ArenaNeed.sized(config, 1, length))) {
            return load(store, config, (int) length);
        }
    }

    private int load(KvStore store, HostConfig config, int length) {
        KvKey parsed = Keys.parse(store, key);
        int leased = (int) ArenaNeed.leased(config.store(), length);
        try (ArenaLease lease = store.arena().lease(leased, Duration.ZERO)) {
            ObjectResult loaded = store.load(List.of(new KvObject(parsed, lease.slice(0, length))), CallOptions.DEFAULT)
                    .get(0);
            if (loaded.status() != Status.DONE) {
                return refuse(loaded);
            }
            target.write(lease.buffer().limit(length));
        }
        if (!file.equals("-")) {
            result().print(
                            () -> {
                                Map<String, Object> document = new LinkedHashMap<>();
                                document.put("key", parsed.text());
                                document.put("bytes", length);
                                document.put("status", Status.DONE.name());
                                document.put("file", file);
                                return document;
                            },
                            out -> out.println(parsed + ": " + length + " bytes written to " + file));
        }
        return ExitCode.OK;
    }

    private int refuse(ObjectResult failed) {
        String reason = failed.reason().isEmpty() ? key + ": there is no such object" : failed.reason();
        if (size != null && failed.status() == Status.WRONG_SIZE) {
            reason = key + ": the object has " + failed.storedLength() + " bytes, not the " + size
                    + " of --size; leave out --size";
        }
        tell(failed, reason);
        return ExitCode.FAILED;
    }

    private void tell(ObjectResult failed, String reason) {
        result().message(reason);
        result().print(
                        () -> {
                            Map<String, Object> document = new LinkedHashMap<>();
                            document.put("key", key);
                            document.put("status", failed.status().name());
                            document.put("error", reason);
                            return document;
                        },
                        out -> {});
    }
}
