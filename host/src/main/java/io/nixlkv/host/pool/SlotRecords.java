package io.nixlkv.host.pool;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The records of an index file, one for each slot, in mapped memory: what was stored before a kill is in the page cache, and no
 * interrupt can close it. Little-endian; offsets in bytes:
 *
 * <pre>
 *  0 int  CRC32C of bytes 8 … 23 and 32 … 39 + length of the name
 *  4 int  state: 0 free, 1 being written, 0x44494c56 valid; the word that commits a record
 *  8 long generation     16 int slot     20 int length of the object
 * 24 long last use, milliseconds since the epoch; may change at any time
 * 32 int  length of the name     36 int zero     40 name
 * </pre>
 *
 * Not thread-safe.
 */
final class SlotRecords {
    static final int RECORD_BYTES = 320;
    static final int MAX_NAME_BYTES = RECORD_BYTES - 40;

    private static final int PER_CHUNK = (1 << 30) / RECORD_BYTES;
    private static final int STATE = 4;
    private static final int GENERATION = 8;
    private static final int SLOT = 16;
    private static final int LENGTH = 20;
    private static final int LAST_USE = 24;
    private static final int NAME_LENGTH = 32;
    private static final int NAME = 40;
    private static final int FREE = 0;
    private static final int WRITING = 1;
    private static final int VALID = 0x44494c56;

    private final MappedByteBuffer[] chunks;
    private final byte[] scratch = new byte[RECORD_BYTES];
    private final ByteBuffer record = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C checksum = new CRC32C();

    SlotRecords(FileChannel file, long position, int slots) throws IOException {
        chunks = new MappedByteBuffer[(int) (((long) slots + PER_CHUNK - 1) / PER_CHUNK)];
        for (int i = 0; i < chunks.length; i++) {
            long first = (long) i * PER_CHUNK;
            long bytes = Math.min(PER_CHUNK, slots - first) * RECORD_BYTES;
            chunks[i] = file.map(FileChannel.MapMode.READ_WRITE, position + first * RECORD_BYTES, bytes);
            chunks[i].order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** From now on the slot holds nothing, until {@link #valid}. */
    void writing(int slot) {
        state(slot, WRITING);
    }

    void free(int slot) {
        state(slot, FREE);
    }

    private void state(int slot, int state) {
        VarHandle.releaseFence();
        chunk(slot).putInt(at(slot) + STATE, state);
        VarHandle.fullFence();
    }

    /** Commits a record: everything else first, the state last. */
    void valid(int slot, long generation, int length, byte[] name, int nameLength, long lastUse) {
        record.putLong(GENERATION, generation)
                .putInt(SLOT, slot)
                .putInt(LENGTH, length)
                .putLong(LAST_USE, lastUse)
                .putInt(NAME_LENGTH, nameLength)
                .putInt(NAME_LENGTH + 4, 0);
        System.arraycopy(name, 0, scratch, NAME, nameLength);
        MappedByteBuffer chunk = chunk(slot);
        int at = at(slot);
        chunk.put(at + GENERATION, scratch, GENERATION, NAME + nameLength - GENERATION);
        chunk.putInt(at, checksum(nameLength));
        state(slot, VALID);
    }

    void touch(int slot, long lastUse) {
        chunk(slot).putLong(at(slot) + LAST_USE, lastUse);
    }

    /** Whether a record is committed and undamaged. */
    boolean isValid(int slot, int slotBytes) {
        if (chunk(slot).getInt(at(slot) + STATE) != VALID) {
            return false;
        }
        chunk(slot).get(at(slot), scratch);
        int nameLength = record.getInt(NAME_LENGTH);
        int length = record.getInt(LENGTH);
        return nameLength >= 1
                && nameLength <= MAX_NAME_BYTES
                && length >= 1
                && length <= slotBytes
                && record.getInt(SLOT) == slot
                && record.getInt(0) == checksum(nameLength);
    }

    /** Whether a record says that nothing is there, or that a write was under way. */
    boolean isEmpty(int slot) {
        int state = chunk(slot).getInt(at(slot) + STATE);
        return state == FREE || state == WRITING;
    }

    long generation(int slot) {
        return chunk(slot).getLong(at(slot) + GENERATION);
    }

    int length(int slot) {
        return chunk(slot).getInt(at(slot) + LENGTH);
    }

    long lastUse(int slot) {
        return chunk(slot).getLong(at(slot) + LAST_USE);
    }

    int nameLength(int slot) {
        return chunk(slot).getInt(at(slot) + NAME_LENGTH);
    }

    /** Copies the name to the start of {@code target}; answers with its length. */
    int name(int slot, byte[] target) {
        int length = nameLength(slot);
        chunk(slot).get(at(slot) + NAME, target, 0, length);
        return length;
    }

    boolean isCalled(int slot, byte[] name, int nameLength) {
        if (nameLength(slot) != nameLength) {
            return false;
        }
        chunk(slot).get(at(slot) + NAME, scratch, 0, nameLength);
        return Arrays.equals(scratch, 0, nameLength, name, 0, nameLength);
    }

    /** Brings the records of some slots to stable storage. */
    void force(int[] slots, int count) {
        for (int chunk = 0; chunk < chunks.length; chunk++) {
            int first = Integer.MAX_VALUE;
            int last = -1;
            for (int i = 0; i < count; i++) {
                if (slots[i] / PER_CHUNK == chunk) {
                    first = Math.min(first, at(slots[i]));
                    last = Math.max(last, at(slots[i]));
                }
            }
            if (last >= 0) {
                chunks[chunk].force(first, last + RECORD_BYTES - first);
            }
        }
    }

    /** Brings all records to stable storage. */
    void force() {
        for (MappedByteBuffer chunk : chunks) {
            chunk.force();
        }
    }

    private int checksum(int nameLength) {
        checksum.reset();
        checksum.update(scratch, GENERATION, LAST_USE - GENERATION);
        checksum.update(scratch, NAME_LENGTH, NAME - NAME_LENGTH + nameLength);
        return (int) checksum.getValue();
    }

    private MappedByteBuffer chunk(int slot) {
        return chunks[slot / PER_CHUNK];
    }

    private static int at(int slot) {
        return slot % PER_CHUNK * RECORD_BYTES;
    }
}
