package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Strategies with the plugin tables of SGLang's document. */
final class SglangTables {
    static final List<StrategyInfo> ALL = List.of(gds(), gdsMt(), threeFs(), obj());

    private SglangTables() {}

    static Optional<StrategyInfo> find(String name) {
        return ALL.stream().filter(info -> info.answersTo(name)).findFirst();
    }

    private static Parameter directory() {
        return Parameter.of("file_path", Type.PATHS)
                .environment("SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR")
                .meaning("Directory of the objects, or several, separated by commas.");
    }

    private static StrategyInfo gds() {
        return new StrategyInfo(
                "GDS",
                Set.of(),
                "Files through NVIDIA GPUDirect Storage.",
                0,
                List.of(
                        directory(),
                        Parameter.of("batch_pool_size", Type.INTEGER)
                                .range(1, 1 << 20)
                                .defaultValue("128")
                                .meaning("Requests held in the pool."),
                        Parameter.of("batch_limit", Type.INTEGER)
                                .range(1, 1 << 20)
                                .defaultValue("128")
                                .meaning("Most requests of one batch."),
                        Parameter.of("max_request_size", Type.BYTES)
                                .range(4096, 1 << 30)
                                .defaultValue("16777216")
                                .meaning("Most bytes of one request.")));
    }

    private static StrategyInfo gdsMt() {
        return new StrategyInfo(
                "GDS_MT",
                Set.of(),
                "Files through GPUDirect Storage with several threads.",
                0,
                List.of(
                        directory(),
                        Parameter.of("thread_count", Type.INTEGER)
                                .range(1, 1024)
                                .defaultValue("4")
                                .meaning("Threads that submit requests.")));
    }

    private static StrategyInfo threeFs() {
        return new StrategyInfo(
                "3FS",
                Set.of("HF3FS"),
                "Files in DeepSeek's 3FS.",
                0,
                List.of(
                        directory(),
                        Parameter.of("mount_point", Type.STRING).meaning("Where the file system is mounted; required."),
                        Parameter.of("mem_config", Type.CHOICE)
                                .choices("dram", "dram_zc", "auto")
                                .defaultValue("dram")
                                .meaning("How memory is shared with the file system."),
                        Parameter.of("iopool_size", Type.INTEGER)
                                .range(64, 1 << 20)
                                .defaultValue("64")
                                .meaning("Size of the pool of requests.")));
    }

    private static StrategyInfo obj() {
        return new StrategyInfo(
                "OBJ",
                Set.of(),
                "Objects in a store with the S3 interface.",
                0,
                List.of(
                        Parameter.of("bucket", Type.STRING)
                                .environment("AWS_DEFAULT_BUCKET")
                                .meaning("Bucket of the objects; required."),
                        Parameter.of("endpoint_override", Type.STRING)
                                .environment("AWS_ENDPOINT_OVERRIDE")
                                .meaning("Address of the store; absent means AWS itself."),
                        Parameter.of("scheme", Type.CHOICE)
                                .choices("http", "https")
                                .defaultValue("http")
                                .meaning("Scheme of an endpoint that has none."),
                        Parameter.of("region", Type.STRING).meaning("Region to sign for."),
                        Parameter.of("access_key", Type.STRING)
                                .environment("AWS_ACCESS_KEY_ID")
                                .meaning("Access key; absent means the usual chain of credentials."),
                        Parameter.of("secret_key", Type.STRING)
                                .secret()
                                .aliases("secrete_key")
                                .environment("AWS_SECRET_ACCESS_KEY")
                                .meaning("Secret key that belongs to access_key."),
                        Parameter.of("session_token", Type.STRING)
                                .secret()
                                .environment("AWS_SESSION_TOKEN")
                                .meaning("Token of temporary credentials."),
                        Parameter.of("ca_bundle", Type.STRING).meaning("PEM file of certificate authorities to trust."),
                        Parameter.of("req_checksum", Type.CHOICE)
                                .choices("required", "supported")
                                .defaultValue("required")
                                .meaning("When requests carry a checksum."),
                        Parameter.of("resp_checksum", Type.CHOICE)
                                .choices("required", "supported")
                                .meaning("When answers are checked."),
                        Parameter.of("use_virtual_addressing", Type.BOOLEAN)
                                .defaultValue("true")
                                .meaning("Put the bucket into the host name."),
                        Parameter.of("num_threads", Type.INTEGER)
                                .range(1, 1024)
                                .defaultValue("4")
                                .meaning("Threads of the client.")));
    }
}
