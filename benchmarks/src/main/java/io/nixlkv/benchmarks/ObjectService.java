package io.nixlkv.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * An object store in which both sides store. Secrets are in {@link #environment} and {@link #table} only, neither of which is ever
 * reported.
 *
 * @param backend NIXL's name, {@code OBJ} or {@code AZURE_BLOB}
 * @param product what answers, with its version
 * @param endpoint where, without secrets
 * @param parameters of NIXL's backend, without secrets
 * @param environment credentials, as NIXL's backend and the vendors' libraries read them
 * @param table our configuration, of the plugin's table
 */
record ObjectService(
        String backend,
        String product,
        String endpoint,
        List<String> parameters,
        Map<String, String> environment,
        Map<String, String> table) {
    ObjectService {
        parameters = List.copyOf(parameters);
        environment = Map.copyOf(environment);
        table = Map.copyOf(table);
    }

    /** The S3 service at an endpoint. */
    static ObjectService s3(String product, String endpoint, String bucket, String accessKey, String secretKey) {
        return new ObjectService(
                "OBJ",
                product,
                endpoint,
                List.of(
                        "bucket=" + bucket,
                        "endpoint_override=" + endpoint,
                        "scheme=" + endpoint.replaceFirst(":.*", "")),
                Map.of(
                        "AWS_ACCESS_KEY_ID",
                        accessKey,
                        "AWS_SECRET_ACCESS_KEY",
                        secretKey,
                        "AWS_EC2_METADATA_DISABLED",
                        "true"),
                Map.of(
                        "bucket",
                        bucket,
                        "endpoint_override",
                        endpoint,
                        "access_key",
                        accessKey,
                        "secret_key",
                        secretKey));
    }

    /** The Azure service of a connection string. */
    static ObjectService azure(String product, AzureConnection connection, String container) {
        return new ObjectService(
                "AZURE_BLOB",
                product,
                connection.endpoint(),
                List.of("container_name=" + container),
                Map.of("AZURE_STORAGE_CONNECTION_STRING", connection.text()),
                Map.of("container_name", container, "connection_string", connection.text()));
    }

    /**
     * What our side is measured with besides its defaults. Native NIXL signs no body and sends a checksum unless told otherwise; ours
     * does so only when told.
     */
    List<Map<String, String>> variants() {
        return backend.equals("OBJ") ? List.of(Map.of(), Map.of("req_checksum", "supported")) : List.of(Map.of());
    }

    /** Our configuration. @param variant what differs from the defaults */
    String config(String layout, String prefix, String arenaGib, Map<String, String> variant) {
        Map<String, String> values = new LinkedHashMap<>(table);
        values.putAll(variant);
        values.put("engine", "sdk");
        values.put("prefix", prefix);
        StringJoiner lines = new StringJoiner("\n");
        lines.add("[store]").add("layout = \"" + layout + "\"").add("arena_gb = " + arenaGib);
        lines.add("[plugin." + backend.toLowerCase(java.util.Locale.ROOT) + "]").add("active = true");
        values.forEach((key, value) -> lines.add(key + " = \"" + value + "\""));
        return lines.toString();
    }

    /** Without secrets. */
    @Override
    public String toString() {
        return backend + " of " + product + " at " + endpoint;
    }
}
