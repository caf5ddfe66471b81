package io.nixlkv.host.hicache;

import io.nixlkv.api.ObjectResult;
import io.nixlkv.spi.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** From results of objects to results of pages. */
final class PageResults {
    private PageResults() {}

    /** @param each objects of a page */
    static List<ObjectResult> perPage(List<ObjectResult> objects, int each) {
        if (each == 1) {
            return objects;
        }
        List<ObjectResult> pages = new ArrayList<>(objects.size() / each);
        for (int at = 0; at < objects.size(); at += each) {
            pages.add(page(objects.subList(at, at + each)));
        }
        return pages;
    }

    /** Ok if all objects are; else the first failure, and MISSING only if nothing worse happened. */
    private static ObjectResult page(List<ObjectResult> objects) {
        ObjectResult missing = null;
        long length = 0;
        for (ObjectResult object : objects) {
            if (object.status() == Status.MISSING) {
                missing = missing == null ? object : missing;
            } else if (!object.ok()) {
                return object;
            }
            length = length < 0 || object.storedLength() < 0 ? -1 : length + object.storedLength();
        }
        return missing != null ? missing : new ObjectResult(objects.get(0).status(), length, "");
    }

    static List<ObjectResult> all(int count, Status status, String reason) {
        return Collections.nCopies(count, new ObjectResult(status, -1, reason));
    }
}
