package io.nixlkv.benchmarks;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A batch of equal objects.
 *
 * @param objects how many, at least 1
 * @param bytes of one object, at least 1; the whole batch has at most 1 GiB
 */
record Workload(int objects, int bytes) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})x(\\d{1,10})(B|KiB|MiB|GiB)?");
    private static final int MAX_BATCH_BYTES = 1 << 30;

    /** @throws IllegalArgumentException if a number is outside its range */
    Workload {
        if (objects < 1 || bytes < 1 || (long) objects * bytes > MAX_BATCH_BYTES) {
            throw new IllegalArgumentException(
                    objects + " objects of " + bytes + " bytes: a batch has 1 byte to 1 GiB");
        }
    }

    /**
     * Reads a text such as {@code 32x1MiB}, {@code 4x4096}.
     *
     * @throws IllegalArgumentException if it is no such text
     */
    static Workload parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "objects are written as COUNTxSIZE with the unit B, KiB, MiB or GiB, like 32x1MiB, not \"" + text
                            + "\"");
        }
        String unit = matcher.group(3) == null ? "B" : matcher.group(3);
        int shift = switch (unit) {
            case "KiB" -> 10;
            case "MiB" -> 20;
            case "GiB" -> 30;
            default -> 0;
        };
        long bytes = Long.parseLong(matcher.group(2)) << shift;
        return new Workload(Integer.parseInt(matcher.group(1)), (int) Math.min(bytes, Integer.MAX_VALUE));
    }

    int batchBytes() {
        return objects * bytes;
    }

    /** The shortest text that {@link #parse} reads as this workload. */
    String label() {
        String[] units = {"B", "KiB", "MiB", "GiB"};
        int value = bytes;
        int unit = 0;
        while (value % 1024 == 0 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%dx%d%s", objects, value, units[unit]);
    }
}
