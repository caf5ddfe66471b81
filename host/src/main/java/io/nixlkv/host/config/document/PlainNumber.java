package io.nixlkv.host.config.document;

import java.math.BigDecimal;
import java.util.Locale;

/** Numbers as texts, without exponent where that has a length that people read. */
final class PlainNumber {
    private static final int MOST_DIGITS = 40;

    private PlainNumber() {}

    static String of(double number) {
        if (!Double.isFinite(number)) {
            return Double.toString(number).toLowerCase(Locale.ROOT);
        }
        BigDecimal exact = BigDecimal.valueOf(number);
        return isLong(exact) ? exact.stripTrailingZeros().toString() : exact.toPlainString();
    }

    /** What is no plain decimal number, or has no reasonable length, stays as it is. */
    static String of(String written) {
        try {
            BigDecimal number = new BigDecimal(written);
            return isLong(number) ? written : number.toPlainString();
        } catch (NumberFormatException other) {
            return written.toLowerCase(Locale.ROOT);
        }
    }

    private static boolean isLong(BigDecimal number) {
        return Math.abs((long) number.scale()) > MOST_DIGITS;
    }
}
