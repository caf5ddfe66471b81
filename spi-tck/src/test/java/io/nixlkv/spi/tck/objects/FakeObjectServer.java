package io.nixlkv.spi.tck.objects;

import io.nixlkv.spi.Status;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Client and server in one: bodies move in pieces, answers come late, in any order and from other threads. Thread-safe. */
final class FakeObjectServer {
    private static final int PIECE = 128 << 10;

    private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
    private final long maxDelayMicros;

    FakeObjectServer(long maxDelayMicros) {
        this.maxDelayMicros = maxDelayMicros;
    }

    Map<String, byte[]> objects() {
        return objects;
    }

    /** PUT; with {@code ifNoneMatch} an existing object refuses it. */
    void put(String name, Exchange exchange, boolean ifNoneMatch) {
        upload(name, exchange, ifNoneMatch, new byte[exchange.length()], 0);
    }

    private void upload(String name, Exchange exchange, boolean ifNoneMatch, byte[] body, int from) {
        later(() -> {
            int length = Math.min(PIECE, body.length - from);
            if (!exchange.take(body, from, length)) {
                return;
            }
            if (from + length < body.length) {
                upload(name, exchange, ifNoneMatch, body, from + length);
            } else {
                exchange.end(commit(name, body, ifNoneMatch), body.length);
            }
        });
    }

    private Status commit(String name, byte[] body, boolean ifNoneMatch) {
        if (!ifNoneMatch) {
            objects.put(name, body);
            return Status.DONE;
        }
        byte[] present = objects.putIfAbsent(name, body);
        if (present == null) {
            return Status.DONE;
        }
        return present.length == body.length ? Status.ALREADY_PRESENT : Status.WRONG_SIZE;
    }

    /** GET; without {@code exact} whatever comes is taken for the whole object. */
    void get(String name, Exchange exchange, boolean exact) {
        later(() -> {
            byte[] body = objects.get(name);
            if (body == null) {
                exchange.end(Status.MISSING, -1);
            } else if (exact && body.length != exchange.length()) {
                exchange.end(Status.WRONG_SIZE, body.length);
            } else {
                download(exchange, body, 0);
            }
        });
    }

    private void download(Exchange exchange, byte[] body, int from) {
        int end = Math.min(body.length, exchange.length());
        int length = Math.min(PIECE, end - from);
        if (!exchange.deliver(body, from, length)) {
            return;
        }
        if (from + length < end) {
            later(() -> download(exchange, body, from + length));
        } else {
            exchange.end(Status.DONE, body.length);
        }
    }

    /** HEAD; without {@code lengths} it tells only that the object is there. */
    void head(String name, Exchange exchange, boolean lengths) {
        later(() -> {
            byte[] body = objects.get(name);
            exchange.end(body == null ? Status.MISSING : Status.DONE, body == null || !lengths ? -1 : body.length);
        });
    }

    void delete(String name, Exchange exchange) {
        later(() -> exchange.end(objects.remove(name) == null ? Status.MISSING : Status.DONE, -1));
    }

    /** Waits for every request under way; false at the {@link System#nanoTime()} deadline. */
    boolean shutdown(long deadline) {
        threads.shutdown();
        try {
            return threads.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void later(Runnable step) {
        threads.schedule(step, ThreadLocalRandom.current().nextLong(maxDelayMicros), TimeUnit.MICROSECONDS);
    }
}
