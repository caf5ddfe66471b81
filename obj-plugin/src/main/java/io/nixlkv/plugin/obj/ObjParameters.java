package io.nixlkv.plugin.obj;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import java.util.List;

/** The configuration keys of OBJ: those of NIXL's plugin and SGLang's table under their names, and ours. */
final class ObjParameters {
    static final String SELF_TEST = "self_test";

    private static final long MIN_PART = 5L << 20;
    private static final long MAX_OBJECT = 1L << 30;

    static final List<Parameter> ALL = List.of(
            Parameter.of("bucket", Type.STRING)
                    .environment("AWS_DEFAULT_BUCKET")
                    .meaning("Bucket of the objects; required, and must exist."),
            Parameter.of("endpoint_override", Type.STRING)
                    .environment("AWS_ENDPOINT_OVERRIDE", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
                    .meaning("Address of the store, host:port with or without scheme; absent means AWS itself."),
            Parameter.of("scheme", Type.CHOICE)
                    .choices("http", "https")
                    .meaning("Scheme of an endpoint_override that has none, http by default; AWS itself is always"
                            + " https."),
            Parameter.of("region", Type.STRING)
                    .environment("AWS_REGION", "AWS_DEFAULT_REGION")
                    .defaultValue("us-east-1")
                    .meaning("Region to sign for; most stores of other makers take any."),
            Parameter.of("access_key", Type.STRING)
                    .meaning("Access key; absent means the SDK's chain of variables, profile and, on AWS, instance"
                            + " role."),
            Parameter.of("secret_key", Type.STRING)
                    .secret()
                    .aliases("secrete_key")
                    .meaning("Secret key that belongs to access_key."),
            Parameter.of("session_token", Type.STRING).secret().meaning("Session token of temporary keys."),
            Parameter.of("ca_bundle", Type.STRING)
                    .environment("AWS_CA_BUNDLE")
                    .meaning("PEM file with the CA certificates to trust instead of the JVM's."),
            Parameter.of("use_virtual_addressing", Type.BOOLEAN)
                    .meaning("Put the bucket into the host name; by default only on AWS itself, never with an IP"
                            + " address."),
            Parameter.of("req_checksum", Type.CHOICE)
                    .defaultValue("required")
                    .choices("required", "supported")
                    .meaning("required: a plain body signed with SHA-256; supported: a CRC-32C header, body unsigned."),
            Parameter.of("resp_checksum", Type.CHOICE)
                    .defaultValue("supported")
                    .choices("required", "supported")
                    .meaning("supported: check the store's checksum of what is read where it has one; required: do not"
                            + " ask."),
            Parameter.of("num_threads", Type.INTEGER)
                    .defaultValue("4")
                    .range(1, 1024)
                    .meaning("Requests under way at once, unless connections or throughput_target_gbps asks for more."),
            Parameter.of("connections", Type.INTEGER)
                    .range(1, 4096)
                    .meaning("Connections, and with them requests under way at once; absent means num_threads."),
            Parameter.of("throughput_target_gbps", Type.INTEGER)
                    .range(1, 400)
                    .meaning("Wanted throughput in Gbit/s; raises the connections to 2.5 for each Gbit/s."),
            Parameter.of("crtMinLimit", Type.BYTES)
                    .range(0, MAX_OBJECT)
                    .meaning("NIXL: objects from this size on use its parallel client; here it sets"
                            + " multipart_threshold."),
            Parameter.of("multipart_threshold", Type.BYTES)
                    .defaultValue("64MiB")
                    .range(MIN_PART, MAX_OBJECT + 1)
                    .meaning("Objects from this size on are written in parts."),
            Parameter.of("part_size", Type.BYTES)
                    .defaultValue("16MiB")
                    .range(MIN_PART, MAX_OBJECT)
                    .meaning("Size of a part; the last one may be smaller."),
            Parameter.of("prefix", Type.STRING)
                    .meaning("Put before every object's name, without change, such as \"kv/\"."),
            Parameter.of("attempts", Type.INTEGER)
                    .defaultValue("3")
                    .range(1, 20)
                    .meaning("How often a request is sent at most, within the deadline."),
            Parameter.of(SELF_TEST, Type.BOOLEAN)
                    .defaultValue("true")
                    .meaning("At opening write, read and delete a small object, to prove rights, CREATE and"
                            + " checksums."));

    private ObjParameters() {}
}
