package io.nixlkv.plugin.obj;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The address of a store, checked before the SDK sees it.
 *
 * @param uri scheme, host and port, and a base path if one was given; no user, query or trailing slash
 */
record Endpoint(URI uri) {
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final int MAX_PORT = 65_535;

    /**
     * Reads {@code host}, {@code host:port}, {@code [v6]:port}, a bare IPv6 address or any of them after {@code http://} or
     * {@code https://}.
     *
     * @param scheme what to put in front of a text without a scheme
     * @throws IllegalArgumentException with a sentence that shows no password
     */
    static Endpoint of(String text, String scheme) {
        if (text.contains("@")) {
            throw new IllegalArgumentException(
                    "endpoint_override must not contain a user or password; use access_key" + " and secret_key");
        }
        if (text.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("endpoint_override \"" + text + "\" contains a space; remove it");
        }
        String whole = SCHEME.matcher(text).matches() ? text : scheme + "://" + bracketed(text);
        URI uri;
        try {
            uri = new URI(whole);
        } catch (URISyntaxException wrong) {
            throw refused(text, "is no address: " + wrong.getReason());
        }
        String found = uri.getScheme().toLowerCase(Locale.ROOT);
        if (!found.equals("http") && !found.equals("https")) {
            throw refused(text, "has the scheme " + found + "; only http and https are possible");
        }
        if (uri.getHost() == null || uri.getHost().isEmpty()) {
            throw refused(text, "has no host; write host:port");
        }
        if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            throw refused(text, "has the port " + uri.getPort() + "; ports are 1 to " + MAX_PORT);
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw refused(text, "has a query or fragment; write host:port");
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return new Endpoint(URI.create(found + "://" + uri.getHost() + port + path));
    }

    /** Whether the host is an address and not a name; a bucket cannot be put in front of it. */
    boolean address() {
        return uri.getHost().startsWith("[") || IPV4.matcher(uri.getHost()).matches();
    }

    boolean tls() {
        return uri.getScheme().equals("https");
    }

    @Override
    public String toString() {
        return uri.toString();
    }

    private static String bracketed(String text) {
        boolean bareV6 = !text.startsWith("[") && text.indexOf(':') != text.lastIndexOf(':');
        return bareV6 ? "[" + text + "]" : text;
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException("endpoint_override \"" + text + "\" " + why);
    }
}
