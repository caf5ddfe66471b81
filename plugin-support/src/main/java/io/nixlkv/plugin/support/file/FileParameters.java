package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StrategyConfig;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The configuration keys that every strategy on files has, and what is read from them. */
public final class FileParameters {
    /** Key of the directories. */
    public static final String FILE_PATH = "file_path";

    /** Key of direct I/O. */
    public static final String DIRECT_IO = "use_direct_io";

    /** A part of a path that a shell would replace. */
    private static final Pattern VARIABLE = Pattern.compile("(^|/)\\$(\\{\\w+}|\\w+)(/|$)");

    private static final String FILE_MODE = "file_mode";
    private static final String DIRECTORY_MODE = "dir_mode";

    private FileParameters() {}

    /**
     * The keys, followed by a strategy's own.
     *
     * @param directory default of {@link #FILE_PATH}; {@code null} if there is none
     */
    public static List<Parameter> with(String directory, List<Parameter> own) {
        List<Parameter> all = new ArrayList<>(List.of(
                Parameter.of(FILE_PATH, Type.PATHS)
                        .defaultValue(directory)
                        .environment("SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR")
                        .meaning("Directory of the objects, or several, separated by commas; made when missing."),
                Parameter.of(DIRECT_IO, Type.BOOLEAN)
                        .defaultValue("true")
                        .meaning("Bypass the page cache for every transfer whose address and length are aligned."),
                Parameter.of("sync", Type.BOOLEAN)
                        .defaultValue("false")
                        .meaning("A write is done only when data and name are on stable storage."),
                Parameter.of(FILE_MODE, Type.STRING)
                        .defaultValue("0644")
                        .meaning("Octal permissions of new files, before the umask; never executable."),
                Parameter.of(DIRECTORY_MODE, Type.STRING)
                        .defaultValue("0750")
                        .meaning("Octal permissions of new directories, before the umask.")));
        all.addAll(own);
        return List.copyOf(all);
    }

    /** What is wrong with the values taken together, as a sentence; empty when they are right. */
    public static Optional<String> problem(StrategyConfig config) {
        if (config.paths(FILE_PATH).isEmpty()) {
            return Optional.of(FILE_PATH + " is required");
        }
        for (String path : config.paths(FILE_PATH)) {
            if (VARIABLE.matcher(path).find()) {
                return Optional.of(
                        FILE_PATH + " " + path + ": only a shell replaces variables; write the directory in full, or"
                                + " give it by $SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR");
            }
            if (path.equals("~") || path.startsWith("~/")) {
                return Optional.of(FILE_PATH + " " + path + ": only a shell knows ~; write the directory in full, or ./"
                        + path + " for one of that name");
            }
        }
        try {
            config.paths(FILE_PATH).forEach(Path::of);
        } catch (InvalidPathException unusable) {
            return Optional.of(FILE_PATH + " " + unusable.getInput() + " is no path here: " + unusable.getReason()
                    + "; start with LC_ALL=C.UTF-8 if it has letters beyond ASCII");
        }
        return FileModes.problem(config.text(FILE_MODE), config.text(DIRECTORY_MODE));
    }

    /** The values as settings of the file backend. The caller has checked them with {@link #problem}. */
    public static FileSettings settings(String store, StrategyConfig config) {
        return settings(
                store, config, config.paths(FILE_PATH).stream().map(Path::of).toList());
    }

    /** The same in other directories. */
    public static FileSettings settings(String store, StrategyConfig config, List<Path> directories) {
        return new FileSettings(
                store,
                directories,
                config.flag(DIRECT_IO),
                FileModes.of(config.text(FILE_MODE), config.text(DIRECTORY_MODE)));
    }

    /** Settings to tell capabilities with when the values are wrong. */
    public static FileSettings plain(String store) {
        return new FileSettings(
                store, List.of(Path.of(System.getProperty("java.io.tmpdir"))), false, FileModes.of("0644", "0750"));
    }
}
