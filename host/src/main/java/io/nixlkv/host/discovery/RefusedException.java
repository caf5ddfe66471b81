package io.nixlkv.host.discovery;

/** A jar or class that gives no strategy; the message is the reason of its {@link Rejection}. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
        super(reason);
    }

    RefusedException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
