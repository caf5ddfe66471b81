package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where an open root writes: its live instance, and what was found out there. Immutable.
 *
 * @param instance owned
 * @param publication how objects become visible
 * @param directIo whether transfers can bypass the page cache
 * @param temporaries prefix of the paths of temporaries
 */
record Workplace(LiveInstance instance, Publication publication, DirectIo directIo, String temporaries)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workplace.class);

    /** Enters {@code work}, an existing folder. @throws IOException if nothing can be made there; nothing is left open */
    static Workplace enter(Path work, FileSettings settings, PublishLock lock, Directories directories)
            throws IOException {
        LiveInstance instance = LiveInstance.enter(work, settings.modes());
        try {
            Publication publication = Publication.tried(instance.folder(), lock, directories);
            DirectIo directIo = settings.directIo() ? DirectIo.tried(instance.folder()) : DirectIo.notConfigured();
            if (!instance.locked()) {
                LOG.warn("the file system of {} has no locks: temporaries of a crash are not swept there", work);
            }
            return new Workplace(instance, publication, directIo, instance.folder() + "/");
        } catch (IOException | RuntimeException failed) {
            instance.close();
            throw failed;
        }
    }

    @Override
    public void close() {
        instance.close();
    }
}
