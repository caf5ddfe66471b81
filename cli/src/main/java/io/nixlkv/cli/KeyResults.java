package io.nixlkv.cli;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.spi.Status;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows the results of a call on keys. */
record KeyResults(List<String> keys, BatchResult results) {

    /** One message for each object that failed otherwise than by not being there. */
    void complain(Result result) {
        for (int i = 0; i < keys.size(); i++) {
            ObjectResult object = results.get(i);
            if (!object.ok() && object.status() != Status.MISSING) {
                result.message(object.reason());
            }
        }
    }

    void printMissing(PrintStream out) {
        for (int i = 0; i < keys.size(); i++) {
            if (results.get(i).status() == Status.MISSING) {
                out.println("missing: " + keys.get(i));
            }
        }
    }

    List<Map<String, Object>> document() {
        List<Map<String, Object>> objects = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            ObjectResult result = results.get(i);
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("key", keys.get(i));
            object.put("status", result.status().name());
            if (result.storedLength() >= 0) {
                object.put("bytes", result.storedLength());
            }
            if (!result.ok() && !result.reason().isEmpty()) {
                object.put("error", result.reason());
            }
            objects.add(object);
        }
        return objects;
    }
}
