package io.nixlkv.cli;

/** The command was asked for something that makes no sense: exit code 2. Its message says what to do. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String sentence) {
        super(sentence);
    }

    UsageException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
