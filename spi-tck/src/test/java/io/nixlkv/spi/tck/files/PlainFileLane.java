package io.nixlkv.spi.tck.files;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectName;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Item after item, by its calling thread: nothing to cancel and nothing left behind at the fence. */
final class PlainFileLane implements Lane {
    private final PlainFileBackend backend;

    PlainFileLane(PlainFileBackend backend) {
        this.backend = backend;
    }

    @Override
    public void execute(TransferBatch batch) {
        for (int item = 0; item < batch.size(); item++) {
            if (backend.closed()) {
                batch.fail(item, Status.UNAVAILABLE, 0, "the store is closed");
            } else if (System.nanoTime() - batch.deadline() > 0) {
                batch.fail(item, Status.TIMED_OUT, 0, "the deadline passed before the item began");
            } else {
                perform(batch, item);
            }
        }
    }

    private void perform(TransferBatch batch, int item) {
        String name = batch.name(item);
        boolean moves = batch.op() == Op.WRITE || batch.op() == Op.STAGE || batch.op() == Op.READ;
        if (!ObjectName.valid(name, backend.can().maxNameBytes()) || backend.reserved(name)) {
            batch.fail(item, Status.INVALID, 0, "not a name of an object");
        } else if (moves && batch.length(item) < 1) {
            batch.fail(item, Status.INVALID, 0, "objects have at least one byte");
        } else {
            try {
                switch (batch.op()) {
                    case WRITE -> {
                        Path temporary = write(batch, item, backend.nextToken());
                        complete(batch, item, publish(temporary, backend.path(name), batch));
                    }
                    case READ -> complete(batch, item, read(backend.path(name), batch.slice(item)));
                    case QUERY -> query(batch, item, backend.path(name));
                    case DELETE -> complete(batch, item, delete(backend.path(name)));
                    case STAGE -> {
                        long token = backend.nextToken();
                        backend.staged().put(token, write(batch, item, token));
                        batch.staged(item, token);
                    }
                    case PUBLISH -> publishStaged(batch, item, backend.path(name));
                    case DISCARD -> discard(batch, item);
                }
            } catch (NoSuchFileException absent) {
                complete(batch, item, Status.MISSING);
            } catch (IOException e) {
                batch.fail(item, Status.FAILED, 0, e.toString());
            }
        }
    }

    private static void complete(TransferBatch batch, int item, Status status) {
        batch.complete(item, status, -1);
    }

    private Path write(TransferBatch batch, int item, long token) throws IOException {
        Path temporary = backend.temporary(token);
        try (FileChannel out = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer slice = batch.slice(item);
            while (slice.hasRemaining()) {
                out.write(slice);
            }
            if (batch.durable()) {
                out.force(false);
            }
        }
        return temporary;
    }

    private static Status publish(Path temporary, Path object, TransferBatch batch) throws IOException {
        try {
            long length = Files.size(temporary);
            Files.createDirectories(object.getParent());
            if (batch.mode() == Mode.REPLACE) {
                Files.move(temporary, object, StandardCopyOption.ATOMIC_MOVE);
            } else {
                try {
                    Files.createLink(object, temporary);
                } catch (FileAlreadyExistsException present) {
                    return Files.size(object) == length ? Status.ALREADY_PRESENT : Status.WRONG_SIZE;
                }
            }
            if (batch.durable()) {
                try (FileChannel directory = FileChannel.open(object.getParent(), StandardOpenOption.READ)) {
                    directory.force(true);
                }
            }
            return Status.DONE;
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static Status read(Path object, ByteBuffer slice) throws IOException {
        if (!Files.isRegularFile(object)) {
            return Status.MISSING;
        }
        try (FileChannel in = FileChannel.open(object, StandardOpenOption.READ)) {
            if (in.size() != slice.capacity()) {
                return Status.WRONG_SIZE;
            }
            while (slice.hasRemaining()) {
                if (in.read(slice) < 0) {
                    return Status.WRONG_SIZE;
                }
            }
            return Status.DONE;
        }
    }

    private static void query(TransferBatch batch, int item, Path object) throws IOException {
        if (Files.isRegularFile(object)) {
            batch.complete(item, Status.DONE, Files.size(object));
        } else {
            complete(batch, item, Status.MISSING);
        }
    }

    private static Status delete(Path object) throws IOException {
        return Files.isRegularFile(object) && Files.deleteIfExists(object) ? Status.DONE : Status.MISSING;
    }

    private void publishStaged(TransferBatch batch, int item, Path object) throws IOException {
        Path temporary = backend.staged().remove(batch.token(item));
        if (temporary == null) {
            batch.fail(item, Status.INVALID, 0, "nothing is staged under this token");
        } else {
            complete(batch, item, publish(temporary, object, batch));
        }
    }

    private void discard(TransferBatch batch, int item) throws IOException {
        Path temporary = backend.staged().remove(batch.token(item));
        complete(batch, item, temporary != null && Files.deleteIfExists(temporary) ? Status.DONE : Status.INVALID);
    }

    @Override
    public void close() {
        // Owns nothing: every call opens and closes its own file.
    }
}
