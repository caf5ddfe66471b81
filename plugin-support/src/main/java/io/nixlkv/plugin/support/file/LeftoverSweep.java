package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
            // before the signs of life: a process makes its own before it claims a pool
            List<Path> claims = claims();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(work, "*.lock")) {
                for (Path file : files) {
                    Matcher form = LOCK_FILE.matcher(file.getFileName().toString());
                    if (form.matches()) {
                        sweep(file, UUID.fromString(form.group(1)));
                    }
                }
            }
            for (Path claim : claims) {
                if (!liveProcesses.contains(PoolClaim.processOf(claim))) {
                    Files.deleteIfExists(claim);
                }
            }
        } catch (IOException failed) {
            LOG.warn("could not sweep leftovers of ended processes in {}: {}", work, failed.toString());
        }
        if (removed > 0) {
            LOG.info("removed {} temporaries of ended processes from {}", removed, work);
        }
    }

    /** One that cannot be swept, another user's perhaps, does not keep the others. */
    private void sweep(Path lockFile, UUID id) {
        boolean ended = false;
        try {
            ended = id.getMostSignificantBits() != ownProcess && !ChunkedIo.expired(deadline) && removed(lockFile, id);
        } catch (IOException failed) {
            LOG.warn("could not sweep leftovers of {}: {}", lockFile, failed.toString());
        }
        if (!ended) {
            liveProcesses.add(id.getMostSignificantBits());
        }
    }

    /** Removes what an instance left. False if it lives, or the time was too short. */
    private boolean removed(Path lockFile, UUID id) throws IOException {
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null || !removeFolder(work.resolve(id.toString()))) {
                return false;
            }
            Files.deleteIfExists(lockFile);
            return true;
        } catch (NoSuchFileException vanished) {
            LOG.debug("{} was swept by another process, or closed, during the sweep", lockFile);
            return false;
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

    /** The claims on pools; one is dead when no instance of its process is left. */
    private List<Path> claims() throws IOException {
        Path pools = work.resolve(PoolClaim.FOLDER);
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(pools)) {
            try (DirectoryStream<Path> claims = Files.newDirectoryStream(pools, "*" + PoolClaim.SUFFIX)) {
                claims.forEach(found::add);
            }
        }
        return found;
    }
}
