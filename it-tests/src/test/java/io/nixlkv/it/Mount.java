package io.nixlkv.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;

/** A real file system with a real fault, mounted for one test. Needs root. */
final class Mount implements AutoCloseable {
    private final Path target;

    private Mount(Path target, String... command) {
        this.target = target;
        Distribution.Run run = Distribution.run(new ProcessBuilder(command));
        assumeTrue(run.exit() == 0, () -> "mounting needs root: " + run.err().strip());
    }

    /** A memory file system of {@code size}, such as {@code 1m}. */
    static Mount tmpfs(Path target, String size) {
        return new Mount(target, "mount", "-t", "tmpfs", "-o", "size=" + size, "none", target.toString());
    }

    /** A memory file system that refuses direct I/O. */
    static Mount ramfs(Path target) {
        return new Mount(target, "mount", "-t", "ramfs", "none", target.toString());
    }

    /** {@code target} again, read-only. */
    static Mount readOnly(Path target) {
        Mount mount = new Mount(target, "mount", "--bind", target.toString(), target.toString());
        Distribution.Run run =
                Distribution.run(new ProcessBuilder("mount", "-o", "remount,bind,ro", target.toString()));
        if (run.exit() != 0) {
            mount.close();
        }
        assumeTrue(run.exit() == 0, () -> "remounting needs root: " + run.err().strip());
        return mount;
    }

    /** How full it is, in per cent. */
    double usedPercent() {
        long total = target.toFile().getTotalSpace();
        return 100.0 * (total - target.toFile().getFreeSpace()) / total;
    }

    @Override
    public void close() {
        Distribution.Run run = Distribution.run(new ProcessBuilder(List.of("umount", "-l", target.toString())));
        if (run.exit() != 0) {
            throw new AssertionError("umount failed: " + run);
        }
    }
}
