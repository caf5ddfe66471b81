package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.testing.OpenObjects;
import java.util.Map;

/** An open OBJ backend, engine {@code sdk}. */
final class Obj extends OpenObjects {
    Obj(Map<String, String> config) {
        super(new ObjStrategy(), ObjStrategy.SDK, config);
    }
}
