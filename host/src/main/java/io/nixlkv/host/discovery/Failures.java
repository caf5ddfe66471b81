package io.nixlkv.host.discovery;

import io.nixlkv.spi.SpiVersion;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in one line what went wrong with a class of a plugin, and what to do. */
final class Failures {
    private static final Pattern CLASS_FILE_VERSION =
            Pattern.compile("(\\S+) has been compiled by a more recent version .*\\(class file version (\\d+)\\..*");
    private static final ClassLoader HOST = Failures.class.getClassLoader();
    private static final Pattern BARE_CLASS = Pattern.compile("L?[\\w/$]+;?");
    private static final String SUPPORT = "io.nixlkv.plugin.support.";

    /** A class that every version of plugin-support has. */
    private static final String SUPPORT_CLASS = "io/nixlkv/plugin/support/file/FileBackend.class";

    private static final int CLASS_FILE_VERSION_OF_JAVA_0 = 44;

    private Failures() {}

    /** The failure's type and message in one line. */
    static String text(Throwable failure) {
        String message = failure.getMessage();
        String type = failure.getClass().getName();
        return message == null ? type : type + ": " + message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** What {@code failure} means when {@code doing} something with {@code className}. */
    static String reason(String doing, String className, Throwable failure) {
        return needsNewerJava(failure)
                .or(() -> needsClass(className, failure))
                .orElseGet(() -> doing + " " + className + " failed with " + text(failure) + hint(failure));
    }

    private static Optional<String> needsNewerJava(Throwable failure) {
        if (!(failure instanceof UnsupportedClassVersionError) || failure.getMessage() == null) {
            return Optional.empty();
        }
        Matcher version = CLASS_FILE_VERSION.matcher(failure.getMessage());
        return version.matches()
                ? Optional.of("class " + dotted(version.group(1)) + " needs Java "
                        + (Integer.parseInt(version.group(2)) - CLASS_FILE_VERSION_OF_JAVA_0) + ", this is Java "
                        + Runtime.version().feature() + "; build the plugin for this Java or run nixlkv with that one")
                : Optional.empty();
    }

    private static Optional<String> needsClass(String className, Throwable failure) {
        if (!(failure instanceof NoClassDefFoundError)
                || failure.getMessage() == null
                || !BARE_CLASS.matcher(failure.getMessage()).matches()) {
            return Optional.empty();
        }
        String missing = dotted(failure.getMessage().replaceAll("^L(.*);$", "$1"));
        return Optional.of(
                "class " + className + " needs class " + missing + ", " + whyMissing(missing, hasSupport(HOST)));
    }

    /** @param support whether plugin-support is on the host's class path */
    static String whyMissing(String missing, boolean support) {
        if (missing.startsWith(SUPPORT) && !support) {
            return "but nixlkv-plugin-support is not on the class path; add it beside nixlkv-host, in the same version";
        }
        return SharedPackages.contain(missing)
                ? "which storage SPI " + SpiVersion.CURRENT
                        + " of this host does not have; the plugin was built for another"
                : "which its jar does not contain; bundle it, since a plugin cannot see the host's libraries";
    }

    static boolean hasSupport(ClassLoader host) {
        return host.getResource(SUPPORT_CLASS) != null;
    }

    private static String hint(Throwable failure) {
        return failure instanceof IncompatibleClassChangeError
                ? "; it was built against another version of a class, maybe not storage SPI " + SpiVersion.CURRENT
                : "";
    }

    private static String dotted(String internalName) {
        return internalName.replace('/', '.');
    }
}
