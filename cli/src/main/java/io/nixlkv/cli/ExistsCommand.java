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

/** {@code nixlkv exists}: asks for objects. */
@Command(name = "exists", description = "Says how many of some objects are there. Exit code 0 only if all are.")
final class ExistsCommand extends StoreCommand {
    @Parameters(arity = "1..*", paramLabel = "KEY", description = "Keys, as the layout writes them.")
    private List<String> keys;

    ExistsCommand(NixlkvCommand root) {
        super(root);
    }

    @Override
    int work(Session session, HostConfig config) {
        BatchResult found;
        try (KvStore store = openStored(session, config)) {
            found = store.lookup(Keys.parse(store, keys), CallOptions.DEFAULT);
        }
        int present = found.count(Status.DONE);
        KeyResults each = new KeyResults(keys, found);
        each.complain(result());
        result().print(
                        () -> {
                            Map<String, Object> document = new LinkedHashMap<>();
                            document.put("asked", keys.size());
                            document.put("present", present);
                            document.put("leading", found.leadingOk());
                            document.put("objects", each.document());
                            return document;
                        },
                        out -> {
                            each.printMissing(out);
                            out.println(present + " of " + keys.size());
                        });
        return present == keys.size() ? ExitCode.OK : ExitCode.FAILED;
    }
}
