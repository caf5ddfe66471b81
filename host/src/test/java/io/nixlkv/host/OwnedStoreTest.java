package io.nixlkv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.nixlkv.api.KvStore;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnedStoreTest {
    private final List<String> closed = new ArrayList<>();
    private final List<OwnedStore> forgotten = new ArrayList<>();

    private KvStore inner(RuntimeException refusal) {
        return (KvStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {KvStore.class}, (proxy, method, arguments) -> {
                    closed.add(method.getName());
                    if (refusal != null) {
                        throw refusal;
                    }
                    return null;
                });
    }

    @Test
    void aClosedStoreIsForgotten() {
        OwnedStore store = new OwnedStore(inner(null), forgotten::add);
        assertEquals(List.of(), forgotten);
        store.close();
        assertEquals(List.of("close"), closed);
        assertEquals(List.of(store), forgotten);
    }

    @Test
    void aStoreThatFailsToCloseIsForgottenToo() {
        StorageException refusal = new StorageException(Status.FAILED, "the disk is gone");
        OwnedStore store = new OwnedStore(inner(refusal), forgotten::add);
        assertEquals(refusal, assertThrows(StorageException.class, store::close));
        assertEquals(List.of(store), forgotten);
    }
}
