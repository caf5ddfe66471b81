package io.nixlkv.cli;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nixlkv put}: stores one file as an object. */
@Command(name = "put", description = "Stores the bytes of a file as one object.")
final class PutCommand extends StoreCommand {
    @Option(names = "--replace", description = "Replace an object that is there; default: the store's write mode.")
    private boolean replace;

    @Parameters(index = "0", paramLabel = "KEY", description = "The object's key, as the layout writes it.")
    private String key;

    @Parameters(index = "1", paramLabel = "FILE", description = "What to store; - for standard input.")
    private String file;

    private LocalSource source;

    PutCommand(NixlkvCommand root) {
        super(root);
    }

    @Override
    void prepare() {
        source = LocalSource.open(file, around().in());
    }

    @Override
    int work(Session session, HostConfig config) {
        try (LocalSource bytes = source;
                KvStore store = session.host().openCounted(ArenaNeed.sized(config, 1, bytes.length()))) {
            saySilentPlace(store);
            KvKey parsed = Keys.parse(store, key);
            int leased = (int) ArenaNeed.leased(config.store(), bytes.length());
            try (ArenaLease lease = store.arena().lease(leased, Duration.ZERO)) {
                bytes.readInto(lease.buffer().limit(bytes.length()));
                CallOptions options = replace ? CallOptions.DEFAULT.with(Mode.REPLACE) : CallOptions.DEFAULT;
                ObjectResult stored = store.store(
                                List.of(new KvObject(parsed, lease.slice(0, bytes.length()))), options)
                        .get(0);
                return answer(parsed, bytes.length(), stored);
            }
        }
    }

    private int answer(KvKey parsed, int length, ObjectResult stored) {
        String reason = stored.status() == Status.WRONG_SIZE && stored.storedLength() > 0
                ? parsed + ": an object of " + stored.storedLength() + " bytes is there, and " + length
                        + " bytes were given; give --replace to replace it (if its writer pads objects, set l1_align_bytes"
                        + " and use_direct_io as it does)"
                : stored.reason();
        if (!stored.ok()) {
            result().message(reason);
        }
        result().print(
                        () -> {
                            Map<String, Object> document = new LinkedHashMap<>();
                            document.put("key", parsed.text());
                            document.put("bytes", length);
                            document.put("status", stored.status().name());
                            if (!stored.ok()) {
                                document.put("error", reason);
                            }
                            return document;
                        },
                        out -> {
                            if (stored.status() == Status.ALREADY_PRESENT) {
                                out.println(parsed + ": already there with " + length + " bytes, left alone");
                            } else if (stored.ok()) {
                                out.println(parsed + ": stored " + length + " bytes");
                            }
                        });
        return stored.ok() ? ExitCode.OK : ExitCode.FAILED;
    }
}
