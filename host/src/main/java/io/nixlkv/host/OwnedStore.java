package io.nixlkv.host;

import io.nixlkv.api.KvStore;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.host.layer.ForwardingStore;
import java.util.Map;
import java.util.function.Consumer;

/** A store that its host closes at the latest, and forgets, with its memory, when it is closed before. */
final class OwnedStore extends ForwardingStore {
    private final Consumer<OwnedStore> whenClosed;

    OwnedStore(KvStore inner, Consumer<OwnedStore> whenClosed) {
        super(inner);
        this.whenClosed = whenClosed;
    }

    @Override
    public StoreStatus status() {
        return inner().status();
    }

    @Override
    protected void describe(Map<String, Object> details) {
        // nothing of its own
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            whenClosed.accept(this);
        }
    }
}
