package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A mounted file system that a test makes hang, and go on. Closing it makes it go on first. Needs root. */
interface HangingFs extends AutoCloseable {
    /** Where it is mounted. */
    Path folder();

    /** From now on nothing that writes is answered. */
    void hang();

    /** What waits is answered. */
    void goOn();

    @Override
    void close();

    /** Runs a command that must succeed. */
    static void must(String... command) {
        Distribution.Run run = Distribution.run(new ProcessBuilder(command));
        assertEquals(0, run.exit(), () -> String.join(" ", command) + ": " + run);
    }

    /** Runs a command without which the test makes no sense here. */
    static void assumed(String... command) {
        try {
            Distribution.Run run = Distribution.run(new ProcessBuilder(command));
            assumeTrue(run.exit() == 0, () -> "needs root: " + String.join(" ", command) + ": " + run.err());
        } catch (UncheckedIOException missing) {
            assumeTrue(false, "is missing: " + missing.getMessage());
        }
    }

    /** An ext4 file system in a file: {@code fsfreeze} makes every write wait, reads go on. */
    static HangingFs frozen(Path work) throws IOException {
        LoopFs loop = LoopFs.make(work, 32);
        return new HangingFs() {
            private boolean hangs;

            @Override
            public Path folder() {
                return loop.folder();
            }

            @Override
            public void hang() {
                must("fsfreeze", "-f", loop.folder().toString());
                hangs = true;
            }

            @Override
            public void goOn() {
                if (hangs) {
                    hangs = false;
                    must("fsfreeze", "-u", loop.folder().toString());
                }
            }

            @Override
            public void close() {
                goOn();
                loop.close();
            }
        };
    }

    /** A FUSE file system whose daemon is stopped by a signal: nothing is answered at all. */
    static Fuse fuse(Path work) throws IOException {
        return new Fuse(work);
    }

    /** A FUSE file system with its daemon, compiled by gcc. */
    final class Fuse implements HangingFs {
        private final Path program;
        private final Path source;
        private final Path folder;
        private Process daemon;
        /** Sends signals: a process cannot be started while this one has files open that do not answer. */
        private Process signaller;

        private Fuse(Path work) throws IOException {
            assumeTrue(Files.isReadable(Path.of("/dev/fuse")), "needs root and /dev/fuse");
            program = work.resolve("passing_fs");
            assumed("gcc", "-std=gnu11", "-O1", "-o", program.toString(), "src/test/native/passing_fs.c");
            source = Files.createDirectory(work.resolve("source"));
            folder = Files.createDirectory(work.resolve("fuse"));
            mount();
        }

        /** Mounts it, again after {@link #unmount}. */
        void mount() throws IOException {
            daemon = new ProcessBuilder(program.toString(), source.toString(), folder.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String line = daemon.inputReader().readLine();
            assumeTrue("ready".equals(line), "mounting a FUSE file system needs root");
            signaller = new ProcessBuilder("sh", "-c", "while read s; do kill -$s " + daemon.pid() + "; echo $s; done")
                    .start();
        }

        @Override
        public Path folder() {
            return folder;
        }

        @Override
        public void hang() {
            signal("STOP");
        }

        @Override
        public void goOn() {
            signal("CONT");
        }

        /** Ends the daemon at once: everything is answered with an error from now on. */
        void kill() {
            daemon.destroyForcibly();
            await();
        }

        /** Takes it away after {@link #kill}: what is there now is an empty folder. */
        void unmount() {
            signaller.destroy();
            must("umount", "-l", folder.toString());
        }

        private void signal(String signal) {
            try {
                signaller.outputWriter().append(signal).append('\n').flush();
                assertEquals(signal, signaller.inputReader().readLine());
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        private void await() {
            try {
                if (!daemon.waitFor(30, TimeUnit.SECONDS)) {
                    throw new AssertionError("the daemon survives SIGKILL");
                }
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }

        @Override
        public void close() {
            if (daemon.isAlive()) {
                goOn();
            }
            signaller.destroy();
            must("umount", "-l", folder.toString());
            daemon.destroyForcibly();
            await();
        }
    }

    /** Both kinds, by name. */
    static HangingFs of(String kind, Path work) throws IOException {
        return switch (kind) {
            case "fuse" -> fuse(work);
            case "frozen" -> frozen(work);
            default -> throw new IllegalArgumentException(kind + " of " + List.of("fuse", "frozen"));
        };
    }
}
