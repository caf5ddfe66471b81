package io.nixlkv.benchmarks;

/** A side of a comparison failed; the message is the reason that stands in the report in place of a figure. */
final class ContenderException extends RuntimeException {
    ContenderException(String reason) {
        super(reason);
    }

    ContenderException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
