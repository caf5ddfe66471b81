package io.nixlkv.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What takes too long for every build: a store of each mode used for minutes, hosts killed under load, two hosts on one directory.
 * Arguments: seconds of use for each mode, kills in each mode, seconds of the two hosts. Ends with 0 if all is as it must be.
 */
final class ModesSoak {
    private static final Duration ROUND = Duration.ofSeconds(5);

    private ModesSoak() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Duration use = Duration.ofSeconds(Long.parseLong(arguments[0]));
        int kills = Integer.parseInt(arguments[1]);
        Duration together = Duration.ofSeconds(Long.parseLong(arguments[2]));
        Path work = Files.createTempDirectory("nixlkv-soak-");
        try {
            for (String mode : StoreSoak.MODES.keySet().stream().sorted().toList()) {
                Duration round = use.dividedBy(12).compareTo(ROUND) < 0 ? use.dividedBy(12) : ROUND;
                say("use, " + mode, new StoreSoak(work.resolve(mode), mode).run(use, round));
            }
            for (KillMode mode : KillMode.values()) {
                new KillRun(Files.createDirectory(work.resolve(mode.name())), mode).run(kills);
                say("kills, " + mode, kills + " kills; what was present loaded with the right bytes");
            }
            long operations = SharedDirectory.run(work.resolve("shared"), together);
            say("two hosts", operations + " operations in " + together.toSeconds() + " s; nothing was lost");
        } finally {
            new ProcessBuilder("rm", "-rf", work.toString()).start().waitFor();
        }
    }

    private static void say(String what, String how) {
        System.out.println(what + ": " + how);
    }
}
