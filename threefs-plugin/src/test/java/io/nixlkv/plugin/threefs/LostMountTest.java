package io.nixlkv.plugin.threefs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.StrategyConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mount whose server hangs, then is killed, then is gone: a real FUSE mount that nobody serves. */
@NeedsStandIn
class LostMountTest {
    private static final Path SOURCE = Path.of("src/test/native/fuse_hang.c");

    private final ThreeFsStrategy strategy = new ThreeFsStrategy();

    @TempDir
    Path folder;

    private Path mount;
    private Process server;

    @AfterEach
    void unmount() throws Exception {
        if (server != null) {
            server.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            run("umount", "-l", mount.toString());
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), List.of(command)::toString);
        return process.exitValue();
    }

    private void mount() throws Exception {
        assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "no /dev/fuse that may be opened");
        mount = Files.createDirectory(folder.resolve("mount"));
        UsrbioStandIn.mount(mount);
        Path program = folder.resolve("fuse_hang");
        assertEquals(0, run("gcc", "-O1", "-o", program.toString(), SOURCE.toString()));
        Process started = new ProcessBuilder(program.toString(), mount.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader words = started.inputReader(StandardCharsets.UTF_8);
        String said = words.readLine();
        assumeTrue("mounted".equals(said), () -> "FUSE cannot be mounted here: " + said);
        server = started;
    }

    /** Why no engine can be used, found out in bounded time. */
    private String reason() {
        StrategyConfig config = ParameterValues.of(
                strategy.info().parameters(), Map.of("mount_point", mount.toString(), "use_direct_io", "false"));
        long start = System.nanoTime();
        List<EngineOffer> offers = strategy.probe(config);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(millis < 3000, millis + " ms");
        EngineOffer posix = offers.stream()
                .filter(offer -> offer.engine().equals("posix"))
                .findFirst()
                .orElseThrow();
        return posix.unavailable().orElse("");
    }

    @Test
    void aMountThatHangsOrLostItsServerIsUnavailableInBoundedTimeAndComesBack() throws Exception {
        mount();
        String hanging = reason();
        assertTrue(hanging.contains("does not answer within"), hanging);
        assertTrue(hanging.contains(mount.toString()), hanging);

        server.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        String dead = reason();
        assertTrue(dead.contains("ransport endpoint is not connected"), dead);
        assertTrue(dead.contains(mount.toString()), dead);

        assertEquals(0, run("umount", "-l", mount.toString()));
        server = null;
        assertEquals("", reason());
    }
}
