package io.nixlkv.plugin.azure;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Where the account is and who asks, checked before the SDK sees it. Shows neither key nor SAS.
 *
 * @param connection the connection string as the SDK takes it; empty if the account is given by its address
 * @param url the address, SAS included; empty with a connection string
 * @param address the address without SAS, for people
 * @param source where the identity comes from, for people
 */
record Account(String connection, String url, String address, String source) {

    /** @throws IllegalArgumentException with a sentence that names the missing part and shows no secret */
    static Account of(String connection, String url) {
        if (!connection.isBlank()) {
            return ofConnection(connection);
        }
        if (url.isBlank()) {
            throw new IllegalArgumentException("account_url or connection_string (AZURE_STORAGE_ACCOUNT_URL,"
                    + " AZURE_STORAGE_CONNECTION_STRING) is required");
        }
        return ofUrl(url.strip());
    }

    /** Whether neither key nor SAS is given, so that the default credential chain decides. */
    boolean chain() {
        return connection.isEmpty() && !url.contains("?");
    }

    @Override
    public String toString() {
        return address + " with " + source;
    }

    private static Account ofConnection(String text) {
        Map<String, String> parts = new LinkedHashMap<>();
        for (String part : text.split(";")) {
            if (part.isBlank()) {
                continue;
            }
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "connection_string has a part without \"=\"; parts are Name=Value, separated by \";\"");
            }
            parts.put(
                    part.substring(0, equals).strip(),
                    part.substring(equals + 1).strip());
        }
        Set<String> names = new HashSet<>(parts.keySet());
        String joined = String.join(
                ";",
                parts.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .toList());
        if (parts.getOrDefault("UseDevelopmentStorage", "").equalsIgnoreCase("true")) {
            return new Account(joined, "", "http://127.0.0.1:10000/devstoreaccount1", "the emulator's own key");
        }
        boolean sas = names.contains("SharedAccessSignature");
        if (!names.contains("AccountKey") && !sas) {
            throw new IllegalArgumentException("connection_string has no AccountKey and no SharedAccessSignature");
        }
        if (!names.contains("AccountName") && !(sas && names.contains("BlobEndpoint"))) {
            throw new IllegalArgumentException("connection_string has no AccountName");
        }
        String endpoint = parts.getOrDefault("BlobEndpoint", "");
        if (endpoint.isEmpty()) {
            endpoint = parts.getOrDefault("DefaultEndpointsProtocol", "https") + "://" + parts.get("AccountName")
                    + ".blob." + parts.getOrDefault("EndpointSuffix", "core.windows.net");
            if (!names.contains("EndpointSuffix") && !names.contains("DefaultEndpointsProtocol")) {
                throw new IllegalArgumentException(
                        "connection_string has neither BlobEndpoint nor DefaultEndpointsProtocol and EndpointSuffix");
            }
        }
        return new Account(
                joined, "", checked(endpoint, "BlobEndpoint of connection_string"), "the key of connection_string");
    }

    private static Account ofUrl(String text) {
        String address = checked(text, "account_url");
        return new Account(
                "",
                text,
                address,
                text.contains("?")
                        ? "the SAS of account_url"
                        : "the default credential chain (variables, workload identity, managed identity, az login)");
    }

    /** The address without user, query and trailing slash. */
    private static String checked(String text, String what) {
        try {
            URI uri = new URI(text.split("\\?", 2)[0]);
            boolean http = Arrays.asList("http", "https").contains(uri.getScheme());
            if (!http || uri.getHost() == null || uri.getUserInfo() != null) {
                throw new IllegalArgumentException(
                        what + " is not an address of the form https://ACCOUNT.blob.core.windows.net");
            }
            return uri.toString().replaceAll("/+$", "");
        } catch (URISyntaxException wrong) {
            throw new IllegalArgumentException(what + " is no address: " + wrong.getReason());
        }
    }
}
