package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NixlInstallation;
import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.spi.Segment;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The native plugins of the installed NIXL. Asking them loads foreign libraries that never go away, and some of them hang, so a
 * child JVM does it, within limits; the answer is kept for the life of the process. Thread-safe.
 */
public final class NixlCatalog {
    private static final Pattern FILE = Pattern.compile("libplugin_([A-Z0-9_]+)\\.so");
    private static final Segment[] SEGMENTS = Segment.values();
    private static final long EACH_NANOS = TimeUnit.MILLISECONDS.toNanos(3000);
    private static final long ALL_NANOS = TimeUnit.MILLISECONDS.toNanos(8000);

    private final List<NixlPlugin> plugins;
    private final String problem;

    private NixlCatalog(List<NixlPlugin> plugins, String problem) {
        this.plugins = List.copyOf(plugins);
        this.problem = problem;
    }

    /** One listing for each installation. */
    private static final class Holder {
        private static final ConcurrentMap<NixlInstallation, NixlCatalog> LISTED = new ConcurrentHashMap<>();
    }

    /** The catalogue; made within nine seconds when it is first asked for. */
    public static NixlCatalog get() {
        Optional<String> absent = NativeIo.unavailableReason();
        if (absent.isPresent()) {
            return new NixlCatalog(List.of(), absent.get());
        }
        NixlSearch.Outcome outcome = NixlSearch.run();
        return outcome.installation()
                .map(found -> Holder.LISTED.computeIfAbsent(found, NixlCatalog::listed))
                .orElseGet(() -> new NixlCatalog(List.of(), outcome.reason()));
    }

    /** Names of the plugins that lie there, without asking them anything; empty without NIXL. */
    public static List<String> names() {
        return NixlSearch.run().installation().map(NixlCatalog::names).orElse(List.of());
    }

    /** All plugins, by name; empty without NIXL. */
    public List<NixlPlugin> plugins() {
        return plugins;
    }

    /** The plugin of that name. */
    public Optional<NixlPlugin> plugin(String name) {
        return plugins.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /** Why there is no NIXL; empty if there is. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private static List<String> names(NixlInstallation installation) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(installation.plugins(), "libplugin_*.so")) {
            for (Path file : files) {
                Matcher name = FILE.matcher(file.getFileName().toString());
                if (name.matches()) {
                    names.add(name.group(1));
                }
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    private static NixlCatalog listed(NixlInstallation installation) {
        List<String> open = new ArrayList<>(names(installation));
        if (open.isEmpty()) {
            return new NixlCatalog(
                    List.of(),
                    "NIXL (" + installation.describe() + ") has no plugins in " + installation.plugins()
                            + "; set NIXL_PLUGIN_DIR to the folder with libplugin_POSIX.so");
        }
        Map<String, NixlPlugin> found = new LinkedHashMap<>();
        long deadline = System.nanoTime() + ALL_NANOS;
        while (!open.isEmpty() && System.nanoTime() < deadline) {
            try (NixlChildProcess child = new NixlChildProcess(command(open), new byte[0])) {
                new Answers(child, open, deadline).read().forEach(plugin -> found.put(plugin.name(), plugin));
            } catch (IOException failed) {
                return new NixlCatalog(List.of(), "NIXL's plugins cannot be listed: no child JVM starts: " + failed);
            }
            open.removeAll(found.keySet());
        }
        open.forEach(name -> found.put(name, NixlPlugin.unusable(name, "listing the plugins took too long")));
        return new NixlCatalog(
                found.values().stream()
                        .sorted((a, b) -> a.name().compareTo(b.name()))
                        .toList(),
                null);
    }

    private static List<String> command(List<String> names) {
        List<String> command = new ArrayList<>(List.of("list"));
        command.addAll(names);
        return command;
    }

    /** What one child says, until it has said all, hangs or dies. */
    private static final class Answers {
        private final NixlChildProcess child;
        private final List<String> asked;
        private final long deadline;
        private final List<NixlPlugin> plugins = new ArrayList<>();
        private String name;
        private Set<Segment> segments = EnumSet.noneOf(Segment.class);
        private Map<String, String> options = new LinkedHashMap<>();
        private String trouble;

        Answers(NixlChildProcess child, List<String> asked, long deadline) {
            this.child = child;
            this.asked = asked;
            this.deadline = deadline;
        }

        List<NixlPlugin> read() {
            while (true) {
                long left = deadline - System.nanoTime();
                String line = child.next(Math.min(left, EACH_NANOS));
                if (line == null) {
                    stopped("it does not answer; its driver may be missing or hang");
                    return plugins;
                }
                if (line.equals(NixlChildProcess.DIED)) {
                    stopped(child.death() + " when it was loaded");
                    return plugins;
                }
                if (line.equals("end")) {
                    finish();
                    if (plugins.isEmpty()) {
                        // nothing was begun: the trouble is NIXL's as a whole
                        asked.forEach(each -> plugins.add(NixlPlugin.unusable(each, String.valueOf(trouble))));
                    }
                    return plugins;
                }
                take(line);
            }
        }

        private void take(String line) {
            int blank = line.indexOf(' ');
            String word = blank < 0 ? line : line.substring(0, blank);
            String rest = blank < 0 ? "" : line.substring(blank + 1);
            switch (word) {
                case "begin" -> {
                    finish();
                    name = rest;
                }
                case "segments" -> {
                    for (String number : rest.strip().split(" ")) {
                        if (number.matches("[0-4]")) {
                            segments.add(SEGMENTS[Integer.parseInt(number)]);
                        }
                    }
                }
                case "option" -> options.put(rest.replaceFirst("=.*", ""), rest.replaceFirst("[^=]*=?", ""));
                case "problem" -> trouble = rest;
                default -> {
                    // a plugin that writes to stdout; not for us
                }
            }
        }

        private void finish() {
            if (name != null) {
                plugins.add(new NixlPlugin(name, segments, options, Optional.ofNullable(trouble)));
                name = null;
                segments = EnumSet.noneOf(Segment.class);
                options = new LinkedHashMap<>();
                trouble = null;
            }
        }

        private void stopped(String reason) {
            if (name == null) {
                name = asked.get(0);
            }
            trouble = reason;
            finish();
        }
    }
}
