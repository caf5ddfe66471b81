package io.nixlkv.host.cleaner;

import io.nixlkv.plugin.support.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What another process does in tests: says one line, then waits until its input ends or it is killed. */
final class CleanerChild {
    private CleanerChild() {}

    static ChildJvm start(List<String> wrapper, String role, Path directory) throws IOException {
        return new ChildJvm(wrapper, CleanerChild.class, role, directory.toString());
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "lead" -> {
                Cleaner cleaner = CleanerTest.cleaner(directory, deadline -> {}, Duration.ZERO);
                cleaner.start(key -> false, key -> {});
                while (!cleaner.describe().get("leader").equals("yes")) {
                    Thread.onSpinWait();
                }
                System.out.println("leads");
                System.in.read();
                cleaner.close();
            }
            case "pass" -> {
                CleaningReport report = Tree.clean(
                        List.of(directory),
                        Tree.settings("model = \"llama\""),
                        Tree.marks(80, 50, 1),
                        new CleaningWatch() {});
                System.out.println(report.outcome() + " deleted " + report.deleted() + " unreadable "
                        + report.unreadable() + " failed " + report.failed() + ": " + report.firstFailure());
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
