package io.nixlkv.nativeio;

/** NIXL refused a call. It gives no reason beyond a number: its log on stderr may. */
public final class NixlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NixlException(String sentence) {
        super(sentence);
    }

    static NixlException of(String call, int code) {
        String words = switch (code) {
            case -1 -> "invalid parameter";
            case -2 -> "backend error";
            case -3 -> "invalid state";
            case -4 -> "exception";
            case -6 -> "not found";
            default -> "unknown code";
        };
        return new NixlException("NIXL's " + call + " answered " + code + " (" + words
                + "); its own log on stderr may say why, more of it with NIXL_LOG_LEVEL=DEBUG");
    }
}
