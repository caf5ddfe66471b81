package io.nixlkv.host.config.document;

import java.math.BigDecimal;
import java.util.Locale;

/** Numbers as texts without exponent. */
final class PlainNumber {
    private static final int MOST_DIGITS = 400;

    private PlainNumber() {}

    static String of(double number) {
        return Double.isFinite(number)
                ? BigDecimal.valueOf(number).toPlainString()
                : Double.toString(number).toLowerCase(Locale.ROOT);
    }

    /** What is no plain decimal number, or has no reasonable length, stays as it is. */
    static String of(String written) {
        try {
            BigDecimal number = new BigDecimal(written);
            return Math.abs((long) number.scale()) > MOST_DIGITS ? written : number.toPlainString();
        } catch (NumberFormatException other) {
            return written.toLowerCase(Locale.ROOT);
        }
    }
}
