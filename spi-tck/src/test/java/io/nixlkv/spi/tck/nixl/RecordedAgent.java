package io.nixlkv.spi.tck.nixl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NIXL's C calls as one agent with the POSIX plugin would serve them, carried out on files and written down. It has the manners of
 * the real one: one status for a whole request, no progress without a poll, no words about a failure. Misuse throws.
 */
final class RecordedAgent implements AutoCloseable {
    /** The C interface's codes. */
    static final int SUCCESS = 0;

    static final int IN_PROG = 1;
    static final int INVALID_PARAM = -1;
    static final int BACKEND = -2;

    private static final Pattern PATH_MODE = Pattern.compile("(ro|rw)((?:,(?:direct|sync|noatime|create))*):(.+)");
    private static final int PER_POLL = 64;

    /** One written-down call. */
    record Call(String name, List<Long> devices, String detail) {}

    /** A descriptor of host memory and one of a file. */
    record Pair(long address, long offset, int length, long device) {}

    private static final class Request {
        private final boolean writes;
        private final List<Pair> pairs;
        private int next;
        private int status = IN_PROG;
        private boolean posted;

        Request(boolean writes, List<Pair> pairs) {
            this.writes = writes;
            this.pairs = pairs;
        }
    }

    private final List<Call> calls = new ArrayList<>();
    private final Map<Long, FileChannel> files = new HashMap<>();
    private final Map<Long, Request> requests = new HashMap<>();
    private final Set<Long> everUsed = new HashSet<>();
    private final BiFunction<Long, Integer, ByteBuffer> memory;
    private long lastRequest;

    /** @param memory what lies at an address of registered host memory */
    RecordedAgent(BiFunction<Long, Integer, ByteBuffer> memory) {
        this.memory = memory;
    }

    List<Call> calls() {
        return calls;
    }

    /** {@code register_mem} for DRAM. */
    void registerMemory(int segments) {
        calls.add(new Call("register_mem DRAM", List.of(), segments + " segments"));
    }

    /** {@code register_mem} for FILE in path mode; all or nothing. */
    int registerFiles(List<Long> devices, List<String> metaInfo) {
        calls.add(new Call("register_mem FILE", devices, String.join(" ", metaInfo)));
        for (int i = 0; i < devices.size(); i++) {
            Matcher form = PATH_MODE.matcher(metaInfo.get(i));
            if (!form.matches()) {
                throw new IllegalArgumentException("NIXL would take this for a file descriptor: " + metaInfo.get(i));
            }
            if (!everUsed.add(devices.get(i))) {
                throw new IllegalArgumentException("device id used twice: " + devices.get(i));
            }
            try {
                files.put(devices.get(i), open(form));
            } catch (IOException unopened) {
                closeFiles(devices.subList(0, i));
                return BACKEND;
            }
        }
        return SUCCESS;
    }

    private static FileChannel open(Matcher form) throws IOException {
        Set<StandardOpenOption> options = new HashSet<>(Set.of(StandardOpenOption.READ));
        if (form.group(1).equals("rw")) {
            options.add(StandardOpenOption.WRITE);
        }
        if (form.group(2).contains("create")) {
            options.add(StandardOpenOption.CREATE);
        }
        if (form.group(2).contains("sync")) {
            options.add(StandardOpenOption.SYNC);
        }
        return FileChannel.open(Path.of(form.group(3)), options);
    }

    /** {@code create_xfer_req}; negative for a failure. */
    long createRequest(boolean writes, List<Pair> pairs) {
        calls.add(new Call("create_xfer_req", devices(pairs), writes ? "WRITE" : "READ"));
        if (pairs.stream().anyMatch(pair -> !files.containsKey(pair.device()))) {
            return BACKEND;
        }
        requests.put(++lastRequest, new Request(writes, pairs));
        return lastRequest;
    }

    /** {@code post_xfer_req}. */
    int post(long request) {
        Request posted = requests.get(request);
        calls.add(new Call("post_xfer_req", devices(posted.pairs), ""));
        posted.posted = true;
        return IN_PROG;
    }

    /** {@code get_xfer_status}, which also drives the transfer. */
    int poll(long request) {
        Request polled = requests.get(request);
        if (!polled.posted) {
            throw new IllegalStateException("polled before it was posted");
        }
        for (int done = 0; polled.status == IN_PROG && done < PER_POLL; done++) {
            if (polled.next == polled.pairs.size()) {
                polled.status = SUCCESS;
                calls.add(new Call("terminal", devices(polled.pairs), "SUCCESS"));
            } else if (!transfer(polled.writes, polled.pairs.get(polled.next++))) {
                polled.status = BACKEND;
                calls.add(new Call("terminal", devices(polled.pairs), "BACKEND"));
            }
        }
        return polled.status;
    }

    private boolean transfer(boolean writes, Pair pair) {
        FileChannel file = files.get(pair.device());
        ByteBuffer slice = memory.apply(pair.address(), pair.length());
        try {
            long at = pair.offset();
            while (slice.hasRemaining()) {
                int moved = writes ? file.write(slice, at) : file.read(slice, at);
                if (moved <= 0) {
                    return false;
                }
                at += moved;
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@code release_xfer_req}. NIXL accepts it while I/O is in flight, and then corrupts memory. */
    void release(long request) {
        Request released = requests.remove(request);
        calls.add(new Call("release_xfer_req", devices(released.pairs), ""));
        if (released.posted && released.status == IN_PROG) {
            throw new IllegalStateException("released in flight: use after free in NIXL's POSIX plugin");
        }
    }

    /** {@code deregister_mem} for FILE, which closes what path mode has opened. */
    void deregisterFiles(List<Long> devices) {
        calls.add(new Call("deregister_mem FILE", devices, ""));
        boolean used = requests.values().stream()
                .flatMap(request -> request.pairs.stream())
                .anyMatch(pair -> devices.contains(pair.device()));
        if (used) {
            throw new IllegalStateException("deregistered below a living request");
        }
        closeFiles(devices);
    }

    private void closeFiles(List<Long> devices) {
        for (long device : devices) {
            try {
                files.remove(device).close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** {@code query_mem} with bare paths: the size of each file that is there. */
    List<OptionalLong> query(List<Path> paths) {
        calls.add(new Call("query_mem", List.of(), paths.size() + " paths"));
        return paths.stream()
                .map(path -> {
                    try {
                        return Files.isRegularFile(path) ? OptionalLong.of(Files.size(path)) : OptionalLong.empty();
                    } catch (IOException unreadable) {
                        return OptionalLong.empty();
                    }
                })
                .toList();
    }

    /** Not a call of NIXL: our own publication, for the order of things. */
    void published(long device) {
        calls.add(new Call("publish", List.of(device), ""));
    }

    /** {@code destroy_agent}. */
    @Override
    public void close() {
        if (!requests.isEmpty()) {
            throw new IllegalStateException("an agent is destroyed with living requests");
        }
        closeFiles(List.copyOf(files.keySet()));
    }

    private static List<Long> devices(List<Pair> pairs) {
        return pairs.stream().map(Pair::device).toList();
    }
}
