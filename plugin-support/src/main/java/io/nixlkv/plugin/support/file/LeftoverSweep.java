package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what instances left behind whose process ended without closing. Never touches a live instance. */
final class LeftoverSweep {
    private static final Logger LOG = LoggerFactory.getLogger(LeftoverSweep.class);
    private static final Pattern LOCK_FILE = Pattern.compile("([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.lock");

    private final Path work;
    private final long deadline;
    private final long ownProcess = LiveInstance.process();
    private final Set<Long> liveProcesses = new HashSet<>();
    private int removed;

    /**
     * @param work the folder of all instances of a root
     * @param deadline {@link System#nanoTime()} value; what is left then stays for the next sweep
     */
    LeftoverSweep(Path work, long deadline) {
        this.work = work;
        this.deadline = deadline;
        liveProcesses.add(ownProcess);
    }

    /** Sweeps once; a failure is logged, since leftovers only cost space. */
    void run() {
        try {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(work, "*.lock")) {
                for (Path file : files) {
                    Matcher form = LOCK_FILE.matcher(file.getFileName().toString());
                    if (form.matches()) {
                        sweep(file, UUID.fromString(form.group(1)));
                    }
                }
            }
            sweepClaims();
        } catch (IOException failed) {
            LOG.warn("could not sweep leftovers of ended processes in {}: {}", work, failed.toString());
        }
        if (removed > 0) {
            LOG.info("removed {} temporaries of ended processes from {}", removed, work);
        }
    }

    /** One that cannot be swept, another user's perhaps, does not keep the others. */
    private void sweep(Path lockFile, UUID id) {
        try {
            examine(lockFile, id);
        } catch (IOException failed) {
            LOG.warn("could not sweep leftovers of {}: {}", lockFile, failed.toString());
        }
    }

    private void examine(Path lockFile, UUID id) throws IOException {
        if (id.getMostSignificantBits() == ownProcess) {
            return;
        }
        liveProcesses.add(id.getMostSignificantBits());
        if (ChunkedIo.expired(deadline)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                return;
            }
            if (removeFolder(work.resolve(id.toString()))) {
                Files.deleteIfExists(lockFile);
                liveProcesses.remove(id.getMostSignificantBits());
            }
        } catch (NoSuchFileException sweptByAnother) {
            LOG.debug("{} vanished during the sweep", lockFile);
        }
    }

    private boolean removeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return true;
        }
        try (DirectoryStream<Path> temporaries = Files.newDirectoryStream(folder)) {
            for (Path temporary : temporaries) {
                if (ChunkedIo.expired(deadline)) {
                    return false;
                }
                Files.deleteIfExists(temporary);
                removed++;
            }
        }
        Files.deleteIfExists(folder);
        return true;
    }

    /** A claim on a pool is dead when no instance of its process is left. */
    private void sweepClaims() throws IOException {
        Path pools = work.resolve(PoolClaim.FOLDER);
        if (!Files.isDirectory(pools)) {
            return;
        }
        try (DirectoryStream<Path> claims = Files.newDirectoryStream(pools, "*" + PoolClaim.SUFFIX)) {
            for (Path claim : claims) {
                if (!liveProcesses.contains(PoolClaim.processOf(claim))) {
                    Files.deleteIfExists(claim);
                }
            }
        }
    }
}
