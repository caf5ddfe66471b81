package io.nixlkv.host.cleaner;

import io.nixlkv.host.cleaner.CleaningReport.Outcome;
import io.nixlkv.host.cleaner.CleaningReport.VolumeUse;
import io.nixlkv.host.cleaner.Ownership.Owned;
import io.nixlkv.host.cleaner.Removal.Victim;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One pass of the cleaner: looks how full the store's file systems (or its budget) are, and, from the high watermark on, deletes the
 * groups not used for longest until less than the low watermark is used. Used once, by one thread.
 */
public final class CleaningPass {
    private static final long BLOCK = 4096;
    private static final int GROUPS_BETWEEN_CHECKS = 50;
    private static final int FILES_BETWEEN_REPORTS = 4096;

    /** What has to be deleted before the file system is blamed for not showing it: this, and a share of what has to go. */
    private static final long BLAME_BYTES = 1 << 20;

    private static final int BLAME_PART = 8;
    private static final int SHOWING_PART = 4;
    private static final int SHOWING_ATTEMPTS = 10;
    private static final long SHOWING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Something too full, until it is below the mark. */
    private record Target(Volume volume, double mark, long wanted) {}

    private final CleaningTask task;
    private final CleaningWatch watch;
    private final List<Volume> volumes = new ArrayList<>();
    private final Map<Volume, Double> before = new LinkedHashMap<>();
    private final Map<String, ModelTally> models = new TreeMap<>();
    private final List<String> warnings = new ArrayList<>();
    private Volume.Budget budget;
    private long surveyed;
    private long surveyedBytes;
    private long foreign;
    private long unreadable;
    private String firstFailure = "";
    private double share = 1;
    private boolean hopeless;
    private boolean stuck;

    public CleaningPass(CleaningTask task, CleaningWatch watch) {
        this.task = task;
        this.watch = watch;
    }

    /** @throws IOException if a file system does not tell how full it is */
    public CleaningReport run() throws IOException {
        long start = System.nanoTime();
        findVolumes();
        try (Removal removal = new Removal(task, watch, this::freed)) {
            Outcome outcome = mayBeHot() || task.surveysAlways() ? clean(removal) : Outcome.COOL;
            String failure = firstFailure.isEmpty() ? removal.firstFailure() : firstFailure;
            return new CleaningReport(
                    outcome,
                    surveyed,
                    surveyedBytes,
                    foreign,
                    unreadable,
                    scaled(removal.objects()),
                    scaled(removal.bytes()),
                    scaled(removal.groups()),
                    removal.leased(),
                    removal.changed(),
                    removal.failed(),
                    failure,
                    share,
                    uses(),
                    warnings,
                    models.values().stream().map(this::scaled).toList(),
                    Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private void findVolumes() throws IOException {
        volumes.addAll(Volumes.of(task.directories()));
        for (Volume volume : volumes) {
            volume.measure();
        }
        if (task.settings().capacityBytes() > 0) {
            budget = new Volume.Budget(task.settings().capacityBytes());
        }
    }

    /** The store's own bytes take at least their space, so there is no need to count them while all that is used is less. */
    private boolean mayBeHot() {
        double high = task.settings().high();
        if (budget != null) {
            return volumes.stream().mapToLong(Volume::used).sum() >= budget.size() * high / 100;
        }
        return volumes.stream().anyMatch(volume -> volume.percent() >= high);
    }

    private Outcome clean(Removal removal) throws IOException {
        Inventory inventory = survey();
        List<Target> open = targets(inventory);
        if (open.isEmpty()) {
            return hopeless ? Outcome.HOPELESS : Outcome.COOL;
        }
        while (true) {
            long gone = removal.objects();
            deleteOldest(removal, inventory, open);
            boolean more = !task.dryRun() && inventory.share() < 1 && removal.objects() > gone;
            if (open.isEmpty() || watch.stopped() || removal.isHopeless() || !more) {
                break;
            }
            inventory = survey();
            for (int i = 0; i < open.size(); i++) {
                Target target = open.get(i);
                target.volume().begin();
                open.set(
                        i,
                        new Target(
                                target.volume(), target.mark(), target.volume().above(target.mark())));
            }
        }
        if (watch.stopped()) {
            return Outcome.STOPPED;
        }
        if (stuck || open.isEmpty()) {
            return stuck ? Outcome.STUCK : Outcome.CLEANED;
        }
        for (Target target : open) {
            warn(
                    "%s is still %.1f %% full: of this store nothing more may go now (%d groups are in use, %d objects could"
                            + " not be deleted)",
                    target.volume().name(),
                    target.volume().percent(),
                    removal.leased() + removal.changed(),
                    removal.failed());
        }
        return Outcome.EXHAUSTED;
    }

    private void warn(String form, Object... values) {
        warnings.add(String.format(Locale.ROOT, form, values));
    }

    private Inventory survey() {
        Inventory inventory = new Inventory(Math.max(1, task.directories().size()), task.mostFiles());
        foreign = 0;
        unreadable = 0;
        models.replaceAll((model, tally) -> new ModelTally(model, ModelTally.Objects.NONE, tally.going()));
        Survey survey = new Survey(new Collector(inventory), watch::stopped);
        for (int root = 0; root < task.directories().size(); root++) {
            survey.walk(root, task.directories().get(root));
        }
        unreadable = survey.unreadable();
        if (unreadable > 0 && firstFailure.isEmpty()) {
            firstFailure = survey.firstReason();
        }
        surveyed = inventory.files();
        surveyedBytes = inventory.bytes();
        share = inventory.share();
        if (budget != null) {
            budget.surveyed(inventory.bytes());
        }
        return inventory;
    }

    private final class Collector implements Survey.Visitor {
        private final Inventory inventory;
        private int folder;

        Collector(Inventory inventory) {
            this.inventory = inventory;
        }

        @Override
        public boolean enters(String prefix, String name) {
            return task.ownership().enters(prefix, name);
        }

        @Override
        public void folder(int root, String prefix) {
            folder = inventory.folder(root, prefix);
        }

        @Override
        public void file(String prefix, String name, BasicFileAttributes attributes) {
            Owned owned = task.ownership().owned(prefix.isEmpty() ? name : prefix + name);
            if (owned == null) {
                foreign++;
                return;
            }
            long bytes = (attributes.size() + BLOCK - 1) / BLOCK * BLOCK;
            long lastUse = Removal.lastUse(attributes);
            inventory.add(folder, name, owned.group(), bytes, lastUse);
            if (task.surveysAlways()) {
                models.merge(
                        owned.model(),
                        ModelTally.empty(owned.model()).found(bytes, lastUse),
                        (known, one) -> known.found(bytes, lastUse));
            }
            if (inventory.files() % FILES_BETWEEN_REPORTS == 0) {
                watch.surveyed(inventory.files());
            }
        }
    }

    /** What is too full and can be helped by this store's objects. */
    private List<Target> targets(Inventory inventory) throws IOException {
        double high = task.settings().high();
        double low = task.settings().low();
        List<Target> targets = new ArrayList<>();
        for (Volume volume : judged()) {
            volume.begin();
            before.put(volume, volume.percent());
            if (volume.percent() < high) {
                continue;
            }
            long own = own(volume, inventory);
            if (own >= volume.above(low)) {
                targets.add(new Target(volume, low, volume.above(low)));
            } else if (own >= volume.above(high)) {
                targets.add(new Target(volume, high, volume.above(high)));
            } else {
                hopeless = true;
                warn(
                        "%s is %.1f %% full, and the %d bytes that this store holds there could not bring it below %s %%:"
                                + " other data fills it, and nothing is deleted; move that, or limit the store's own bytes"
                                + " with l3_cleaner_capacity_gb",
                        volume.name(), volume.percent(), own, high);
            }
        }
        return targets;
    }

    private List<Volume> judged() {
        return budget == null ? volumes : List.of(budget);
    }

    private long own(Volume volume, Inventory inventory) {
        long own = 0;
        for (int root = 0; root < task.directories().size(); root++) {
            own += volume.holds(root) ? inventory.bytesOfRoot(root) : 0;
        }
        return own;
    }

    /** Takes targets out of {@code open} as they are reached or given up. */
    private void deleteOldest(Removal removal, Inventory inventory, List<Target> open) throws IOException {
        List<Target> now = new ArrayList<>(open);
        int sinceCheck = 0;
        for (int group : inventory.oldestFirst(System.currentTimeMillis())) {
            if (now.isEmpty() || watch.stopped() || removal.isHopeless()) {
                break;
            }
            if (!concerns(inventory, group, now) || !removal.remove(inventory, group)) {
                continue;
            }
            boolean enough = now.stream().anyMatch(target -> target.volume().freed() >= part(target));
            if (enough || ++sinceCheck >= GROUPS_BETWEEN_CHECKS) {
                sinceCheck = 0;
                check(now, open);
            }
        }
        check(now, open);
    }

    private static boolean concerns(Inventory inventory, int group, List<Target> targets) {
        for (int file = inventory.firstOf(group); file >= 0; file = inventory.nextOf(file)) {
            int root = inventory.folderOf(file).root();
            for (Target target : targets) {
                if (target.volume().holds(root)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What of a target one round may delete: of a sample of the objects, the like share. */
    private double part(Target target) {
        return target.wanted() * share;
    }

    private void check(List<Target> now, List<Target> open) throws IOException {
        for (Target target : List.copyOf(now)) {
            Volume volume = target.volume();
            if (!task.dryRun()) {
                volume.measure();
            }
            if (volume.percent() < target.mark()) {
                now.remove(target);
                open.remove(target);
            } else if (share < 1 && volume.freed() >= part(target)) {
                now.remove(target);
            } else if (!task.dryRun() && volume != budget && !shows(target)) {
                now.remove(target);
                open.remove(target);
                stuck = true;
                warn(
                        "%d bytes were deleted below %s, and its file system shows %d bytes less in use: something else"
                                + " fills it or holds what was deleted (other data, snapshots, open files), and cleaning"
                                + " stops; limit the store's own bytes with l3_cleaner_capacity_gb",
                        volume.freed(), volume.name(), Math.max(0, volume.fell()));
            }
        }
        watch.freed(
                open.stream().mapToLong(target -> target.volume().freed()).sum(),
                open.stream().mapToLong(Target::wanted).sum());
    }

    /** Some file systems free space a moment after the deletion. */
    private boolean shows(Target target) throws IOException {
        Volume volume = target.volume();
        long blame = Math.max(BLAME_BYTES, target.wanted() / BLAME_PART);
        for (int attempt = 0; attempt < SHOWING_ATTEMPTS; attempt++) {
            if (volume.freed() < blame || volume.fell() >= volume.freed() / SHOWING_PART || watch.stopped()) {
                return true;
            }
            LockSupport.parkNanos(SHOWING_NANOS);
            volume.measure();
        }
        return false;
    }

    private void freed(Victim victim) {
        for (Volume volume : judged()) {
            if (volume.holds(victim.folder().root())) {
                volume.free(victim.bytes(), task.dryRun() || volume == budget);
            }
        }
        String model = Ownership.model(victim.key());
        models.merge(
                model,
                ModelTally.empty(model).leaving(victim.bytes(), victim.lastUse()),
                (known, one) -> known.leaving(victim.bytes(), victim.lastUse()));
    }

    private List<VolumeUse> uses() {
        return judged().stream()
                .map(volume -> new VolumeUse(
                        volume.name(), volume.size(), before.getOrDefault(volume, volume.percent()), volume.percent()))
                .toList();
    }

    /** A dry run over a sample reckons for all. */
    private long scaled(long ofSample) {
        return task.dryRun() && share > 0 ? Math.round(ofSample / share) : ofSample;
    }

    private ModelTally scaled(ModelTally tally) {
        ModelTally.Objects going = tally.going();
        return new ModelTally(
                tally.model(),
                tally.there(),
                new ModelTally.Objects(scaled(going.count()), scaled(going.bytes()), going.oldest(), going.newest()));
    }
}
