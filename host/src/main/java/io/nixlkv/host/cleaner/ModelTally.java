package io.nixlkv.host.cleaner;

/**
 * What there is of one model, and what of it went or would go.
 *
 * @param model its name; {@code -} where names do not tell
 * @param there all objects
 * @param going those that were, or would be, deleted
 */
public record ModelTally(String model, Objects there, Objects going) {

    /**
     * Some objects. Bytes are those of whole blocks.
     *
     * @param oldest earliest last use, milliseconds since the epoch; 0 without objects
     * @param newest latest last use
     */
    public record Objects(long count, long bytes, long oldest, long newest) {
        static final Objects NONE = new Objects(0, 0, 0, 0);

        Objects and(long moreBytes, long lastUse) {
            return count == 0
                    ? new Objects(1, moreBytes, lastUse, lastUse)
                    : new Objects(count + 1, bytes + moreBytes, Math.min(oldest, lastUse), Math.max(newest, lastUse));
        }
    }

    static ModelTally empty(String model) {
        return new ModelTally(model, Objects.NONE, Objects.NONE);
    }

    ModelTally found(long bytes, long lastUse) {
        return new ModelTally(model, there.and(bytes, lastUse), going);
    }

    ModelTally leaving(long bytes, long lastUse) {
        return new ModelTally(model, there, going.and(bytes, lastUse));
    }
}
