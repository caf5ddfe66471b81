package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.nativeio.NixlException;
import io.nixlkv.nativeio.NixlInstallation;
import io.nixlkv.nativeio.NixlLane;
import io.nixlkv.nativeio.NixlLibrary;
import io.nixlkv.nativeio.NixlLibrary.LaneSettings;
import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.nativeio.TransferRequest;
import io.nixlkv.nativeio.TransferRequest.Publish;
import io.nixlkv.nativeio.TransferRequest.Result;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * Runs in a JVM of its own, where it may hang, crash and map whatever it likes. Answers on stdout, a line each: {@code begin NAME},
 * then {@code segments NUMBERS} and {@code option KEY=VALUE}, or {@code problem SENTENCE}; {@code end} after the last.
 *
 * <p>{@code list NAME…} describes plugins; {@code start}, with properties on stdin, starts one.
 */
public final class NixlChild {
    static final String PLUGIN = "plugin";
    static final String STORAGE = "storage";
    static final String DIRECT = "direct";
    static final String FILE = "file";
    static final String PARAMETER = "parameter.";
    static final String VARIABLE = "variable.";

    private static final int BLOCK = 4096;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final PrintStream out;

    private NixlChild(PrintStream out) {
        this.out = out;
    }

    /** Entry of the child. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, "UTF-8");
        NixlChild child = new NixlChild(out);
        NixlSearch.Outcome outcome = NixlSearch.run();
        if (outcome.installation().isEmpty()) {
            child.problem(outcome.reason());
        } else {
            child.run(arguments, outcome.installation().get());
        }
        out.println("end");
        // what hangs at the end of the process is not waited for
        Runtime.getRuntime().halt(0);
    }

    private void run(String[] arguments, NixlInstallation installation) throws IOException {
        try {
            NixlLibrary.loadCompanions(installation);
            if (arguments[0].equals("list")) {
                list(installation, Arrays.asList(arguments).subList(1, arguments.length));
            } else {
                Properties wanted = new Properties();
                try (Reader in = new InputStreamReader(System.in, StandardCharsets.UTF_8)) {
                    wanted.load(in);
                }
                start(installation, wanted);
            }
        } catch (NixlException failed) {
            problem(failed.getMessage());
        }
    }

    private void list(NixlInstallation installation, List<String> names) {
        NixlLibrary library = NixlLibrary.open(installation);
        try (NixlLane lane = library.listing("nixlkv-listing")) {
            lane.open();
            for (String name : names) {
                out.println("begin " + name);
                NixlLibrary.loadingProblem(installation.plugin(name).toString())
                        .ifPresentOrElse(
                                words -> problem("it cannot be loaded: " + words + remedy(words)),
                                () -> describe(lane, name));
            }
        }
    }

    private void describe(NixlLane lane, String name) {
        List<String> lines = lane.describe(name).lines().toList();
        if (lines.isEmpty()) {
            problem("NIXL refuses it: it is made for another version of NIXL");
            return;
        }
        out.println("segments " + lines.get(0));
        lines.stream().skip(1).forEach(line -> out.println("option " + line));
    }

    private void start(NixlInstallation installation, Properties wanted) {
        String plugin = wanted.getProperty(PLUGIN);
        out.println("begin " + plugin);
        String library = installation.plugin(plugin).toString();
        String words = NixlLibrary.loadingProblem(library).orElse("");
        if (!words.isEmpty()) {
            problem("NIXL's plugin cannot be loaded: " + words + remedy(words));
            return;
        }
        NixlLibrary.environment(below(VARIABLE, wanted));
        Storage storage = Storage.valueOf(wanted.getProperty(STORAGE));
        LaneSettings settings = new LaneSettings(plugin, below(PARAMETER, wanted), storage, false, 1, 0);
        try (NativeMemory memory = new NativeMemory(BLOCK, NativeMemory.Pages.ORDINARY);
                NixlLane lane = NixlLibrary.open(installation).lane("nixlkv-trial", settings)) {
            lane.addMemory(memory.segment(0));
            lane.open();
            if (wanted.containsKey(FILE)) {
                roundTrip(
                        plugin,
                        memory,
                        lane,
                        Path.of(wanted.getProperty(FILE)),
                        Boolean.parseBoolean(wanted.getProperty(DIRECT)));
            }
        }
    }

    /** Where libraries that are missing come from, if that is known. */
    private static String remedy(String words) {
        boolean cuda = words.contains("libcudart.so") || words.contains("libcufile.so");
        return cuda
                ? "; install it beside NIXL with \"pip install nvidia-cufile-cu12 nvidia-cuda-runtime-cu12\", or name its"
                        + " folder in LD_LIBRARY_PATH"
                : "";
    }

    private static Map<String, String> below(String prefix, Properties wanted) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String key : wanted.stringPropertyNames()) {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), wanted.getProperty(key));
            }
        }
        return found;
    }

    private void roundTrip(String plugin, NativeMemory memory, NixlLane lane, Path file, boolean direct) {
        TransferRequest request = new TransferRequest();
        try {
            for (boolean write : new boolean[] {true, false}) {
                fill(memory, write ? 1 : 0);
                request.start(1, write, false, !write, Publish.NOT, 0600, PATIENCE);
                request.add(memory.address(0), BLOCK, file.toString(), "", direct);
                lane.files(request);
                boolean done = request.result(0) == (write ? Result.WRITTEN : Result.DONE) && request.repeated() == 0;
                if (!done || !holds(memory)) {
                    problem("NIXL's " + plugin + " cannot " + (write ? "write" : "read") + " a file in "
                            + file.getParent()
                            + (direct ? " with direct I/O" : "")
                            + ": the file system or the driver does not support it; its log on stderr may say more");
                    return;
                }
            }
        } finally {
            file.toFile().delete();
        }
    }

    private static void fill(NativeMemory memory, int factor) {
        for (int i = 0; i < BLOCK; i++) {
            memory.segment(0).put(i, (byte) (factor * (i + 1)));
        }
    }

    private static boolean holds(NativeMemory memory) {
        for (int i = 0; i < BLOCK; i++) {
            if (memory.segment(0).get(i) != (byte) (i + 1)) {
                return false;
            }
        }
        return true;
    }

    private void problem(String sentence) {
        out.println("problem " + sentence.replace('\n', ' '));
    }
}
