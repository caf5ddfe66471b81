package io.nixlkv.spi.tck;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What must hold in the store after a child was killed. */
final class KillCheck {
    private static final int AT_ONCE = 32;
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** One version of an object that a writer wrote, or was about to write when it died. */
    private record Version(int writer, int step, boolean acknowledged, Content content) {}

    private final ContractStore store;
    private final KillScript script;
    private final Map<String, List<Version>> versions = new HashMap<>();
    private final Set<String> discarded = new HashSet<>();
    private final Map<String, Long> present = new HashMap<>();

    KillCheck(ContractStore store, KillChild child) {
        this.store = store;
        script = child.script();
        for (int writer = 0; writer < KillScript.WRITERS; writer++) {
            int last = Math.min(child.acknowledged(writer) + 1, KillScript.STEPS - 1);
            for (int number = 0; number <= last; number++) {
                KillScript.Step step = script.step(writer, number);
                for (KillScript.Write write : step.writes()) {
                    if (step.kind() == KillScript.Kind.DISCARD) {
                        discarded.add(write.name());
                    } else {
                        boolean acknowledged = number <= child.acknowledged(writer);
                        versions.computeIfAbsent(write.name(), name -> new ArrayList<>())
                                .add(new Version(writer, number, acknowledged, write.content()));
                    }
                }
            }
        }
    }

    /** Checks everything, then deletes the round's objects where the engine can. */
    void run() {
        try {
            check();
        } catch (AssertionError early) {
            // A server may still carry out what the dead process had sent in full.
            LockSupport.parkNanos(SETTLE_NANOS);
            present.clear();
            check();
        }
        if (store.has(Feature.DELETE) && !present.isEmpty()) {
            Transfer delete = store.transfer(Op.DELETE);
            present.keySet().forEach(delete::name);
            delete.run().all(Rule.DELETE, Status.DONE);
        }
    }

    private void check() {
        query();
        list();
        read();
    }

    private void query() {
        List<String> names = new ArrayList<>(versions.keySet());
        names.addAll(discarded);
        Transfer query = store.transfer(Op.QUERY);
        names.forEach(query::name);
        Outcomes outcomes = query.run().all(Rule.QUERY, Status.DONE, Status.MISSING);
        for (Outcome outcome : outcomes.items()) {
            String name = outcome.name();
            if (outcome.status() == Status.DONE) {
                Rule.STAGED.check(
                        !discarded.contains(name), () -> where() + "\"" + name + "\" was never published but is there");
                present.put(name, outcome.storedLength());
            } else {
                boolean promised =
                        versions.getOrDefault(name, List.of()).stream().anyMatch(Version::acknowledged);
                Rule.ACKNOWLEDGED.check(!promised, () -> where() + "\"" + name + "\" was acknowledged but is missing");
            }
        }
    }

    private void list() {
        if (!store.has(Feature.LIST)) {
            return;
        }
        Set<String> listed = store.list(script.prefix()).keySet();
        Rule.LIST.check(
                listed.equals(present.keySet()),
                () -> where() + "list() shows " + listed + " but present are " + present.keySet());
    }

    private void read() {
        List<String> names = new ArrayList<>(present.keySet());
        for (int from = 0; from < names.size(); from += AT_ONCE) {
            List<String> part = names.subList(from, Math.min(names.size(), from + AT_ONCE));
            Transfer read = store.transfer(Op.READ);
            for (String name : part) {
                long stored = present.get(name);
                Rule.WHOLE.check(
                        stored < 0
                                || versions.get(name).stream()
                                        .anyMatch(v -> v.content().length() == stored),
                        () -> where() + "\"" + name + "\" has " + stored + " bytes, which nobody wrote");
                read.get(name, stored < 0 ? versions.get(name).get(0).content().length() : (int) stored);
            }
            Outcomes found = read.run().all(Rule.WHOLE, Status.DONE);
            for (int i = 0; i < part.size(); i++) {
                judge(part.get(i), found, i);
            }
        }
    }

    private void judge(String name, Outcomes found, int item) {
        Version seen = versions.get(name).stream()
                .filter(version -> version.content().is(found.slices().get(item)))
                .findFirst()
                .orElse(null);
        Rule.WHOLE.check(seen != null, () -> where() + "\"" + name + "\" holds bytes that no single writer wrote");
        boolean newest = versions.get(name).stream()
                .noneMatch(
                        other -> other.acknowledged() && other.writer() == seen.writer() && other.step() > seen.step());
        Rule.ACKNOWLEDGED.check(
                newest, () -> where() + "\"" + name + "\" holds a version older than an acknowledged one");
    }

    private String where() {
        return "round " + script.round() + " of seed " + script.seed() + ": ";
    }
}
