package io.nixlkv.plugin.azure;

import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.plugin.support.object.ObjectBackend;
import io.nixlkv.plugin.support.object.RequestPool;
import io.nixlkv.plugin.support.object.StartCheck;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Block blobs in Azure Storage. Engine {@code sdk} is the Azure SDK for Java, {@code nixl} native NIXL. */
public final class AzureBlobStrategy implements StorageStrategy {
    /** NIXL's name of the plugin. */
    public static final String NAME = "AZURE_BLOB";

    /** The engine on the Azure SDK. */
    public static final String SDK = "sdk";

    private static final List<String> ENGINES = List.of(SDK, NixlSettings.ENGINE);
    private static final Set<Segment> SEGMENTS = Set.of(Segment.DRAM_SEG, Segment.OBJ_SEG);
    private static final int MAX_BATCH = 256;
    private static final int SPARE_CONNECTIONS = 4;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final StrategyInfo INFO = new StrategyInfo(
            NAME,
            Set.of("AZURE"),
            "Blobs in a container of Azure Storage. With engine nixl they stay until the store's own rules remove them.",
            0,
            AzureParameters.ALL);

    @Override
    public StrategyInfo info() {
        return INFO;
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        try {
            AzureSettings settings = AzureSettings.of(config);
            return List.of(
                    EngineOffer.usable(
                            SDK, SEGMENTS, capabilities(settings.keys().maxNameBytes(), true)),
                    AzureNixl.offer(SEGMENTS, settings));
        } catch (IllegalArgumentException wrong) {
            return List.of(
                    EngineOffer.usable(SDK, SEGMENTS, capabilities(AzureSettings.MAX_KEY_BYTES, true))
                            .because(wrong.getMessage()),
                    AzureNixl.offer(SEGMENTS, AzureSettings.MAX_KEY_BYTES, wrong.getMessage()));
        }
    }

    @Override
    public StorageBackend open(OpenContext context) {
        if (!ENGINES.contains(context.engine())) {
            throw new StorageException(
                    Status.INVALID,
                    NAME + " has no engine \"" + context.engine() + "\"; it has " + String.join(", ", ENGINES));
        }
        boolean nixl = context.engine().equals(NixlSettings.ENGINE);
        AzureSettings settings;
        BlobHttp http = null;
        BlobContainerClient container;
        try {
            settings = AzureSettings.of(context.config());
            http = new BlobHttp(settings.connections() + SPARE_CONNECTIONS, settings.certificates());
            container = container(settings, http);
        } catch (IllegalArgumentException wrong) {
            if (http != null) {
                http.close();
            }
            throw new StorageException(Status.INVALID, NAME + ": " + wrong.getMessage());
        }
        if (nixl) {
            try {
                AzureNixl.require(settings);
            } catch (StorageException unusable) {
                http.close();
                throw unusable;
            }
        }
        RequestPool pool = new RequestPool("azure-blob", settings.connections());
        BlobStore store = new BlobStore(settings, http, container, pool);
        StartCheck.Words words = new StartCheck.Words(
                NAME,
                settings.place(),
                settings.account().address(),
                settings.account().source(),
                "");
        StartCheck.Found found;
        try {
            found = new StartCheck(words, store, store::ping)
                    .run(settings.keys().prefix(), settings.selfTest() && !nixl);
            if (nixl) {
                StorageBackend opened = AzureNixl.open(context.config(), settings, store, context.arena());
                store.close();
                return opened;
            }
        } catch (RuntimeException refused) {
            store.close();
            throw refused;
        }
        return new ObjectBackend(
                store,
                settings.place(),
                capabilities(settings.keys().maxNameBytes(), found.creates()),
                settings.keys(),
                pool,
                facts(settings, found));
    }

    private static Map<String, String> facts(AzureSettings settings, StartCheck.Found found) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("container", settings.container());
        facts.put("endpoint", settings.account().address());
        facts.put("prefix", settings.keys().prefix());
        facts.put("identity", settings.account().source());
        facts.put("connections", Integer.toString(settings.connections()));
        facts.put("create", found.create());
        return facts;
    }

    private static BlobContainerClient container(AzureSettings settings, BlobHttp http) {
        BlobContainerClientBuilder builder = new BlobContainerClientBuilder()
                .httpClient(http)
                .retryOptions(new RequestRetryOptions(
                        RetryPolicyType.EXPONENTIAL,
                        settings.attempts(),
                        (Duration) null,
                        FIRST_PAUSE,
                        LONGEST_PAUSE,
                        null));
        Account account = settings.account();
        if (account.connection().isEmpty()) {
            builder.endpoint(account.url());
            if (account.chain()) {
                if (!account.address().startsWith("https:")) {
                    throw new IllegalArgumentException("account_url has no SAS, and the default credential chain needs"
                            + " https; write https:// or add a SAS");
                }
                builder.credential(
                        new DefaultAzureCredentialBuilder().httpClient(http).build());
            }
        } else {
            builder.connectionString(account.connection());
        }
        return builder.containerName(settings.container()).buildClient();
    }

    private static Capabilities capabilities(int maxNameBytes, boolean creates) {
        Set<Feature> features = EnumSet.of(
                Feature.REPLACE,
                Feature.DURABLE,
                Feature.STAGE,
                Feature.DELETE,
                Feature.LIST,
                Feature.STORED_LENGTH,
                Feature.DETECTS_SHORT,
                Feature.DETECTS_LONG);
        if (creates) {
            features.add(Feature.CREATE);
        }
        return new Capabilities(features, 1, Capabilities.MAX_OBJECT_BYTES, maxNameBytes, MAX_BATCH);
    }
}
