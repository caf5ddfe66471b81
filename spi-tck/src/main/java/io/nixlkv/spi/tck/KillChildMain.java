package io.nixlkv.spi.tck;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that is killed. It opens the store, waits for one byte on standard input, then writes what the script says and
 * acknowledges every step with a line {@code writer step}. It ends by itself when its parent does, and after a minute.
 */
final class KillChildMain {
    private static final int ARENA_BYTES = 12 << 20;
    private static final long LIFETIME = TimeUnit.SECONDS.toNanos(60);

    private final ContractStore store;
    private final KillScript script;
    private final FileOutputStream acknowledgements = new FileOutputStream(FileDescriptor.out);

    private KillChildMain(ContractStore store, KillScript script) {
        this.store = store;
        this.script = script;
    }

    /** Arguments: class of the setup, location, seed, round. */
    public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
        daemon("lifetime", () -> {
            long end = System.nanoTime() + LIFETIME;
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            Runtime.getRuntime().halt(3);
        });
        ContractSetup setup = (ContractSetup)
                Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
        ContractStore store = new ContractStore(setup, Path.of(arguments[1]), setup.arena(ARENA_BYTES));
        KillScript script = new KillScript(Long.parseLong(arguments[2]), Integer.parseInt(arguments[3]), store.can());
        KillChildMain child = new KillChildMain(store, script);
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(4);
        }
        for (int writer = 0; writer < KillScript.WRITERS; writer++) {
            int me = writer;
            Lane lane = store.backend().openLane();
            daemon("writer-" + me, () -> child.write(me, lane));
        }
        while (System.in.read() >= 0) {
            continue;
        }
        Runtime.getRuntime().halt(5);
    }

    private void write(int writer, Lane lane) {
        try {
            for (int step = 0; step < KillScript.STEPS; step++) {
                perform(lane, store.area(writer, KillScript.WRITERS), script.step(writer, step));
                say(writer + " " + step);
            }
        } catch (IOException | RuntimeException | AssertionError failure) {
            failure.printStackTrace();
            Runtime.getRuntime().halt(6);
        }
    }

    private void perform(Lane lane, Area area, KillScript.Step step) {
        boolean stages = step.kind() == KillScript.Kind.PUBLISH || step.kind() == KillScript.Kind.DISCARD;
        Transfer write = store.transfer(lane, area, stages ? Op.STAGE : Op.WRITE, step.mode());
        step.writes().forEach(object -> write.put(object.name(), object.content()));
        Outcomes written = write.run().all(Rule.ROUND_TRIP, Status.DONE);
        if (stages) {
            Op end = step.kind() == KillScript.Kind.PUBLISH ? Op.PUBLISH : Op.DISCARD;
            Transfer finish = store.transfer(lane, area, end, step.mode());
            for (int i = 0; i < step.writes().size(); i++) {
                KillScript.Write object = step.writes().get(i);
                finish.token(
                        object.name(), object.content().length(), written.get(i).token());
            }
            finish.run().all(Rule.STAGED, Status.DONE);
        }
    }

    /** One write to the pipe, so that a line is whole or absent there too. */
    private void say(String line) throws IOException {
        acknowledgements.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
