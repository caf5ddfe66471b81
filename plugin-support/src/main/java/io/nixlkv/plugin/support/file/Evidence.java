package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.TransferBatch.Op;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;

/** Finds the words for a failure after it happened, by looking at what is there now. */
final class Evidence {
    private static final int SHOWN = 200;

    private Evidence() {}

    static String quoted(String name) {
        return name.length() <= SHOWN ? "\"" + name + "\"" : "\"" + name.substring(0, SHOWN) + "…\"";
    }

    static String verb(Op op) {
        return op.name().toLowerCase(Locale.ROOT);
    }

    /** Whether something that is no object stands under the name. */
    static boolean isForeign(Path object) {
        return Files.exists(object, LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(object, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether {@code object} is a directory with something in it. */
    static boolean leadsToOthers(Path object) {
        String[] entries = Files.isSymbolicLink(object) ? null : object.toFile().list();
        return entries != null && entries.length > 0;
    }

    static String foreign(Path object) {
        String kind = Files.isDirectory(object, LinkOption.NOFOLLOW_LINKS)
                ? "a directory"
                : Files.isSymbolicLink(object) ? "a symbolic link" : "something that is no file";
        return object + " is " + kind + " in the object's place; remove it or use another name";
    }

    /** The parent of {@code object} below {@code root} that is a file; {@code null} if none is. */
    static Path fileAmongParents(FileRoot root, Path object) {
        Path at = root.path();
        Path relative = at.relativize(object);
        for (int part = 0; part < relative.getNameCount() - 1; part++) {
            at = at.resolve(relative.getName(part));
            if (Files.exists(at) && !Files.isDirectory(at)) {
                return at;
            }
        }
        return null;
    }
}
