package io.nixlkv.cli;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code nixlkv rm}: deletes objects. */
@Command(name = "rm", description = "Deletes objects. Exit code 0 only if all were there and are gone.")
final class RmCommand extends StoreCommand {
    @Parameters(arity = "1..*", paramLabel = "KEY", description = "Keys, as the layout writes them.")
    private List<String> keys;

    RmCommand(NixlkvCommand root) {
        super(root);
    }

    @Override
    int work(Session session, HostConfig config) {
        BatchResult deleted;
        try (KvStore store = openStored(session, config)) {
            deleted = store.delete(Keys.parse(store, keys), CallOptions.DEFAULT);
        }
        int gone = deleted.count(Status.DONE);
        KeyResults each = new KeyResults(keys, deleted);
        each.complain(result());
        result().print(
                        () -> {
                            Map<String, Object> document = new LinkedHashMap<>();
                            document.put("asked", keys.size());
                            document.put("removed", gone);
                            document.put("objects", each.document());
                            return document;
                        },
                        out -> {
                            each.printMissing(out);
                            out.println("removed " + gone + " of " + keys.size());
                        });
        return gone == keys.size() ? ExitCode.OK : ExitCode.FAILED;
    }
}
