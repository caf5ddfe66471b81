package io.nixlkv.plugin.azure;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import java.util.List;

/** The configuration keys of AZURE_BLOB: those of NIXL's plugin under their names, and ours. */
final class AzureParameters {
    static final String SELF_TEST = "self_test";

    private static final long MIN_PART = 1L << 20;
    private static final long MAX_OBJECT = 1L << 30;

    static final List<Parameter> ALL = List.of(
            Parameter.of("account_url", Type.STRING)
                    .secret()
                    .environment("AZURE_STORAGE_ACCOUNT_URL")
                    .meaning("Address of the account, with a SAS if it has one; secret, since a SAS is a key."),
            Parameter.of("connection_string", Type.STRING)
                    .secret()
                    .environment("AZURE_STORAGE_CONNECTION_STRING")
                    .meaning("Connection string of the account or of Azurite; wins over account_url."),
            Parameter.of("container_name", Type.STRING)
                    .environment("AZURE_STORAGE_CONTAINER_NAME")
                    .meaning("Container of the objects; required, and must exist."),
            Parameter.of("ca_bundle", Type.STRING)
                    .environment("AZURE_CA_BUNDLE")
                    .meaning("PEM file with the CA certificates to trust instead of the JVM's."),
            Parameter.of("num_threads", Type.INTEGER)
                    .defaultValue("4")
                    .range(1, 1024)
                    .meaning("Requests under way at once, unless connections asks for more."),
            Parameter.of("connections", Type.INTEGER)
                    .range(1, 4096)
                    .meaning("Connections, and with them requests under way at once; absent means num_threads."),
            Parameter.of("multipart_threshold", Type.BYTES)
                    .defaultValue("64MiB")
                    .range(MIN_PART, MAX_OBJECT + 1)
                    .meaning("Objects from this size on are written in blocks."),
            Parameter.of("part_size", Type.BYTES)
                    .defaultValue("16MiB")
                    .range(MIN_PART, MAX_OBJECT)
                    .meaning("Size of a block; the last one may be smaller."),
            Parameter.of("prefix", Type.STRING)
                    .meaning("Put before every object's name, without change, such as \"kv/\"."),
            Parameter.of("attempts", Type.INTEGER)
                    .defaultValue("3")
                    .range(1, 20)
                    .meaning("How often a request is sent at most, within the deadline."),
            Parameter.of(SELF_TEST, Type.BOOLEAN)
                    .defaultValue("true")
                    .meaning("At opening write, read and delete a small object, to prove rights and CREATE."));

    private AzureParameters() {}
}
