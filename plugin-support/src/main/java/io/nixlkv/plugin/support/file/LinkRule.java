package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which symbolic links may lead to an object: relative ones that stay inside the root at every step. This is the rule of {@code
 * openat2} with {@code RESOLVE_BENEATH}, which native code follows. Pure Java looks before it opens.
 */
final class LinkRule {
    private static final int MOST_LINKS = 40;

    private final Path root;
    private final int depth;

    /** @param root without links in its own path */
    LinkRule(Path root) {
        this.root = root;
        depth = root.getNameCount();
    }

    /**
     * Examines the folders that lead to {@code object}, a path below the root; missing ones are right.
     *
     * @throws OutsideException naming the link that leads outside
     */
    void require(Path object) throws IOException {
        for (int parts = depth + 1; parts < object.getNameCount(); parts++) {
            if (Files.isSymbolicLink(object.getRoot().resolve(object.subpath(0, parts)))) {
                follow(object.getParent());
                return;
            }
        }
    }

    private void follow(Path folder) throws IOException {
        Deque<Path> left = new ArrayDeque<>();
        root.relativize(folder).forEach(left::add);
        Path at = root;
        for (int links = 0; !left.isEmpty() && links <= MOST_LINKS; ) {
            Path part = left.poll();
            Path next = at.resolve(part);
            if (part.toString().equals("..")) {
                if (at.equals(root)) {
                    throw new OutsideException(folder);
                }
                at = at.getParent();
            } else if (Files.isSymbolicLink(next)) {
                links++;
                Path target = Files.readSymbolicLink(next);
                if (target.isAbsolute()) {
                    throw new OutsideException(next);
                }
                Deque<Path> parts = new ArrayDeque<>();
                target.forEach(parts::push);
                parts.forEach(left::push);
            } else if (!part.toString().isEmpty() && !part.toString().equals(".")) {
                at = next;
            }
        }
    }
}
