package io.nixlkv.benchmarks;

import java.nio.file.Path;

/** An open contender that was verified once, and its folder; closing it leaves nothing behind. */
record Corner(Contender contender, WorkFolder folder) implements AutoCloseable {
    private static final long VERIFIED_ROUND = 0;

    /**
     * Opens a contender, stores a batch and checks that it loads every byte of it.
     *
     * @param directory where its folder is made
     * @throws ContenderException if it fails
     */
    static Corner open(Entrant entrant, Setting setting, Path directory) {
        WorkFolder folder = WorkFolder.in(directory);
        try {
            Contender contender = entrant.opener().open(setting, folder.path());
            try {
                contender.store(VERIFIED_ROUND);
                contender.verify(VERIFIED_ROUND);
                contender.drop(VERIFIED_ROUND);
                return new Corner(contender, folder);
            } catch (RuntimeException e) {
                contender.close();
                throw e;
            }
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try (folder) {
            contender.close();
        }
    }
}
