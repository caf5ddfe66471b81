package io.nixlkv.spi.tck;

import io.nixlkv.spi.Feature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL in the middle of writes, again and again, while this process has the same store open. */
interface KillRules extends UnderTest {
    /** Children that start while another one is killed and checked. */
    int AHEAD = 2;

    /** The script is a pure function of the seed; which write a kill meets also depends on the machine. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    default void killedWritersLeaveOnlyWholeObjects(@TempDir Path logs) throws IOException, InterruptedException {
        if (!store().setup().persistent()) {
            store().store("mine", new Content(1, 5000));
            try (ContractStore other = store().again()) {
                other.absent(Rule.KEPT, "mine", 5000);
            }
            return;
        }
        int rounds = Integer.getInteger("nixlkv.tck.kills", store().setup().kills());
        long seed = Long.getLong("nixlkv.tck.seed", System.nanoTime());
        System.out.println(store().setup().engine() + ": " + rounds + " kills with -Dnixlkv.tck.seed=" + seed);
        Deque<KillChild> children = new ArrayDeque<>();
        try {
            for (int round = 0, started = 0; round < rounds; round++) {
                for (; started < rounds && children.size() <= AHEAD; started++) {
                    KillScript script = new KillScript(seed, started, store().can());
                    children.add(new KillChild(store(), script, logs.resolve("child-" + started)));
                }
                try (KillChild child = children.remove()) {
                    child.runAndKill();
                    new KillCheck(store(), child).run();
                }
            }
        } finally {
            for (KillChild child : children) {
                child.close();
            }
        }
        if (store().has(Feature.LIST) && store().has(Feature.DELETE)) {
            Set<String> left = store().list("").keySet();
            Rule.LIST.check(left.isEmpty(), () -> "after " + rounds + " kills list() shows " + left);
        }
    }
}
