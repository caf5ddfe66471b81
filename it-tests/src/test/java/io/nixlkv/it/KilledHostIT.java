package io.nixlkv.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A host that is killed under load, in each mode: a short form of what {@code .ci/soak} does 500 times. */
class KilledHostIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whatIsPresentIsWholeAndRight(KillMode mode) throws IOException, InterruptedException {
        new KillRun(directory, mode).run(Math.max(1, Integer.getInteger("nixlkv.tck.kills", 20) / 2));
    }
}
