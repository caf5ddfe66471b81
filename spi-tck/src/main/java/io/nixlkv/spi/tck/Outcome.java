package io.nixlkv.spi.tck;

import io.nixlkv.spi.Status;

/** How one item ended. */
record Outcome(String name, Status status, int code, long storedLength, String sentence, long token) {
    private static final int SHOWN = 80;

    @Override
    public String toString() {
        String shown = name.length() > SHOWN ? name.substring(0, SHOWN) + "…" : name;
        return status + " for item \"" + shown + "\"" + (code == 0 ? "" : ", code " + code)
                + (sentence == null ? "" : ", \"" + sentence + "\"");
    }
}
