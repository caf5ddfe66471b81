package io.nixlkv.cli;

/** The work failed on this side of the store, such as at a local file: exit code 1. */
final class WorkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WorkException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
