package io.nixlkv.cli;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The command's logging: one short line per record on standard error. {@code java.util.logging} makes an instance of it when the
 * first record is logged, so a command that logs nothing pays nothing.
 */
public final class OneLineLog {
    private static final String CONFIG_CLASS = "java.util.logging.config.class";
    private static final String VERBOSITY = "nixlkv.verbosity";

    /** Whether the command itself tells what was rejected. */
    private static final String TOLD = "nixlkv.rejections.told";

    /** They log each failure that the command tells anyway, and finely every request with session tokens and signed addresses. */
    private static final List<String> SDKS = List.of("org.apache.hc.", "software.amazon.awssdk.", "com.azure.");

    /** It warns of each jar that is rejected. */
    private static final List<String> REJECTIONS = List.of("io.nixlkv.host.discovery.Discovery");

    /** It tells every step of every jar; the host tells the outcome. */
    private static final List<String> DISCOVERY = List.of("org.pf4j.");

    /** Called by {@code LogManager}. */
    public OneLineLog() {
        int verbosity = Integer.getInteger(VERBOSITY, 0);
        Level level = verbosity == 0 ? Level.WARNING : verbosity == 1 ? Level.INFO : Level.FINE;
        ConsoleHandler handler = new ConsoleHandler();
        handler.setLevel(level);
        handler.setFormatter(new OneLine(verbosity > 1));
        int leastOfSdks = verbosity > 0 ? Level.INFO.intValue() : Integer.MAX_VALUE;
        handler.setFilter(record -> of(SDKS, record)
                ? record.getLevel().intValue() >= leastOfSdks
                : of(REJECTIONS, record) && record.getLevel() == Level.WARNING
                        ? verbosity > 0 || !Boolean.getBoolean(TOLD)
                        : verbosity > 1
                                || !of(DISCOVERY, record)
                                || record.getLevel().intValue() >= Level.WARNING.intValue());
        Logger root = Logger.getLogger("");
        root.setLevel(level);
        root.addHandler(handler);
    }

    private static boolean of(List<String> packages, LogRecord record) {
        String name = record.getLoggerName();
        return name != null && packages.stream().anyMatch(name::startsWith);
    }

    /** Sets up logging for these arguments, unless somebody configured it otherwise. */
    static void prepare(String[] args) {
        if (System.getProperty(CONFIG_CLASS) == null && System.getProperty("java.util.logging.config.file") == null) {
            System.setProperty(CONFIG_CLASS, OneLineLog.class.getName());
            System.setProperty(VERBOSITY, Integer.toString(verbosity(args)));
            System.setProperty(TOLD, Boolean.toString(List.of(args).contains("plugins")));
        }
    }

    /** How many times {@code -v} is given. */
    static int verbosity(String[] args) {
        int count = 0;
        for (String arg : args) {
            if (arg.equals("--verbose")) {
                count++;
            } else if (arg.equals("-v") || arg.equals("-vv") || arg.equals("-vvv")) {
                count += arg.length() - 1;
            }
        }
        return count;
    }

    private static final class OneLine extends Formatter {
        private final boolean traces;

        OneLine(boolean traces) {
            this.traces = traces;
        }

        @Override
        public String format(LogRecord record) {
            String name = record.getLoggerName() == null ? "" : record.getLoggerName();
            StringBuilder line = new StringBuilder(160);
            line.append(LocalTime.ofInstant(record.getInstant(), java.time.ZoneId.systemDefault())
                            .truncatedTo(ChronoUnit.MILLIS))
                    .append(' ')
                    .append(record.getLevel().getName())
                    .append(' ')
                    .append(name, name.lastIndexOf('.') + 1, name.length())
                    .append(": ")
                    .append(formatMessage(record));
            Throwable thrown = record.getThrown();
            if (thrown != null && !traces) {
                line.append(": ").append(thrown);
            }
            line.append('\n');
            if (thrown != null && traces) {
                java.io.StringWriter text = new java.io.StringWriter();
                thrown.printStackTrace(new java.io.PrintWriter(text, true));
                line.append(text);
            }
            return line.toString();
        }
    }
}
