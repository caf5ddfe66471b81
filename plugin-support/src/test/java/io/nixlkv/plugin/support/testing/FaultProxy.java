package io.nixlkv.plugin.support.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/** An HTTP/1.1 proxy on 127.0.0.1 before a real store. It does to each request what the test's rule says, and remembers all. */
public final class FaultProxy implements AutoCloseable {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener;
    private final int storePort;
    private final boolean tls;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Queue<SeenRequest> seen = new ConcurrentLinkedQueue<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Function<SeenRequest, Fault> rule = request -> Fault.pass();

    private FaultProxy(ServerSocketFactory sockets, boolean tls, int storePort) {
        this.storePort = storePort;
        this.tls = tls;
        try {
            listener = sockets.createServerSocket(0, 64, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        daemon("proxy-accept", this::accept);
    }

    /** A proxy before the plain HTTP server on {@code storePort}. */
    public static FaultProxy before(int storePort) {
        return new FaultProxy(ServerSocketFactory.getDefault(), false, storePort);
    }

    /** A proxy that speaks TLS before the plain HTTP server on {@code storePort}. */
    public static FaultProxy tlsBefore(int storePort, SSLContext context) {
        return new FaultProxy(context.getServerSocketFactory(), true, storePort);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Its address with scheme. */
    public String address() {
        return (tls ? "https" : "http") + "://127.0.0.1:" + port();
    }

    /** What happens to requests from now on. */
    public void rule(Function<SeenRequest, Fault> next) {
        rule = next;
    }

    /** Requests so far, in order. */
    public List<SeenRequest> seen() {
        return List.copyOf(seen);
    }

    /** Forgets the requests so far. */
    public void forget() {
        seen.clear();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                daemon("proxy-connection", () -> serve(client));
            } catch (IOException ended) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(ended);
                }
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = new BufferedOutputStream(client.getOutputStream());
            while (serveOne(in, out)) {
                out.flush();
            }
            out.flush();
        } catch (IOException gone) {
            // The client or the test has ended the connection.
            closed.getCount();
        } finally {
            sockets.remove(client);
        }
    }

    private boolean serveOne(InputStream in, OutputStream out) throws IOException {
        String first = Wire.line(in);
        if (first == null) {
            return false;
        }
        String[] words = first.split(" ");
        Map<String, String> headers = Wire.headers(in);
        SeenRequest head = new SeenRequest(numbers.getAndIncrement(), words[0], words[1], headers, new byte[0]);
        Fault fault = rule.apply(head);
        if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
            out.write(CONTINUE);
            out.flush();
        }
        if (fault instanceof Fault.CutRequest cut) {
            in.readNBytes(cut.bytes());
            seen.add(head);
            return false;
        }
        SeenRequest request = new SeenRequest(head.number(), words[0], words[1], headers, Wire.body(in, headers));
        seen.add(request);
        return apply(fault, request, out);
    }

    private boolean apply(Fault fault, SeenRequest request, OutputStream out) throws IOException {
        if (fault instanceof Fault.BlackHole) {
            pause(Long.MAX_VALUE);
            return false;
        }
        if (fault instanceof Fault.Answer answer) {
            Wire.answer(out, answer, request.method());
            return true;
        }
        if (fault instanceof Fault.Delay delay) {
            pause(delay.millis());
        }
        Reply reply = forward(request);
        if (fault instanceof Fault.LoseAnswer) {
            return false;
        }
        out.write(reply.head);
        if (fault instanceof Fault.CutAnswer cut) {
            out.write(reply.body, 0, Math.min(cut.bytes(), reply.body.length));
            return false;
        }
        if (fault instanceof Fault.Trickle trickle) {
            for (byte one : reply.body) {
                out.write(one);
                out.flush();
                pause(trickle.millis());
            }
            return true;
        }
        out.write(reply.body);
        return true;
    }

    private record Reply(byte[] head, byte[] body) {}

    private Reply forward(SeenRequest request) throws IOException {
        try (Socket store = new Socket(InetAddress.getLoopbackAddress(), storePort)) {
            OutputStream out = new BufferedOutputStream(store.getOutputStream());
            Wire.ascii(out, request.method() + " " + request.target() + " HTTP/1.1\r\n");
            for (Map.Entry<String, String> header : request.headers().entrySet()) {
                if (!Set.of("connection", "expect", "transfer-encoding", "content-length")
                        .contains(header.getKey())) {
                    Wire.ascii(out, header.getKey() + ": " + header.getValue() + "\r\n");
                }
            }
            if (request.body().length > 0
                    || !request.method().equals("GET") && !request.method().equals("HEAD")) {
                Wire.ascii(out, "content-length: " + request.body().length + "\r\n");
            }
            Wire.ascii(out, "connection: close\r\n\r\n");
            out.write(request.body());
            out.flush();
            return reply(new BufferedInputStream(store.getInputStream()), request.method());
        }
    }

    private static Reply reply(InputStream in, String method) throws IOException {
        String status = Wire.line(in);
        if (status == null) {
            throw new EOFException("the store closed the connection");
        }
        Map<String, String> headers = Wire.headers(in);
        boolean bodiless = method.equals("HEAD") || status.contains(" 204") || status.contains(" 304");
        boolean framed = headers.containsKey("content-length") || headers.containsKey("transfer-encoding");
        byte[] body = bodiless ? new byte[0] : framed ? Wire.body(in, headers) : in.readAllBytes();
        Map<String, String> kept = new LinkedHashMap<>(headers);
        kept.remove("transfer-encoding");
        kept.remove("connection");
        if (!bodiless) {
            kept.put("content-length", Integer.toString(body.length));
        }
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        Wire.ascii(head, status + "\r\n");
        for (Map.Entry<String, String> header : kept.entrySet()) {
            Wire.ascii(head, header.getKey() + ": " + header.getValue() + "\r\n");
        }
        Wire.ascii(head, "\r\n");
        return new Reply(head.toByteArray(), body);
    }

    private void pause(long millis) throws IOException {
        try {
            if (closed.await(millis, TimeUnit.MILLISECONDS)) {
                throw new IOException("the proxy was closed");
            }
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** HTTP/1.1 as bytes. */
    private static final class Wire {
        private Wire() {}

        static void ascii(OutputStream out, String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        static String line(InputStream in) throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    return null;
                }
                if (c != '\r') {
                    line.write(c);
                }
            }
            return line.toString(StandardCharsets.ISO_8859_1);
        }

        static Map<String, String> headers(InputStream in) throws IOException {
            Map<String, String> headers = new LinkedHashMap<>();
            for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).trim());
            }
            return headers;
        }

        static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
            if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
                return chunks(in);
            }
            int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException();
            }
            return body;
        }

        private static byte[] chunks(InputStream in) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            while (true) {
                String size = line(in);
                if (size == null) {
                    throw new EOFException();
                }
                int length = Integer.parseInt(size.split(";")[0].trim(), 16);
                body.write(in.readNBytes(length));
                line(in);
                if (length == 0) {
                    return body.toByteArray();
                }
            }
        }

        static void answer(OutputStream out, Fault.Answer answer, String method) throws IOException {
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            ascii(out, "HTTP/1.1 " + answer.status() + " Scripted\r\n");
            for (Map.Entry<String, String> header : answer.headers().entrySet()) {
                ascii(out, header.getKey() + ": " + header.getValue() + "\r\n");
            }
            ascii(out, "Content-Length: " + (method.equals("HEAD") ? 0 : body.length) + "\r\n\r\n");
            if (!method.equals("HEAD")) {
                out.write(body);
            }
        }
    }
}
