package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.PageObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Layout {@code hicache} against names and routes that SGLang's connector made. */
class HicacheGoldenTest {
    private static final HicacheLayout ANY = new HicacheLayout(Optional.empty(), true, NameRules.refusingLong());
    private final NameBuffer name = new NameBuffer();

    static List<JsonNode> names() throws IOException {
        return Golden.section("hicache_names");
    }

    static List<JsonNode> routes() throws IOException {
        return Golden.section("hicache_routes");
    }

    @Test
    void everyRowIsThere() throws IOException {
        assertEquals(24, names().size());
        assertEquals(28, routes().size());
    }

    @ParameterizedTest
    @MethodSource("names")
    void namesOfAPage(JsonNode row) {
        String model = row.get("model").asText();
        String hash = row.get("page_hash").asText();
        PageObjects page = new PageObjects(
                model,
                row.get("tp_rank").asInt(),
                row.get("tp_size").asInt(),
                row.get("mla").asBoolean(),
                row.get("zero_copy").asBoolean());
        List<PageKey> keys = row.get("side_pool").isNull()
                ? page.ofKv(hash)
                : page.ofSidePool(
                        hash,
                        row.get("side_pool").asText(),
                        row.get("side_pool_parts").asInt());
        List<String> expected =
                Golden.rows(row.get("names")).stream().map(JsonNode::asText).toList();
        assertEquals(expected, keys.stream().map(PageKey::text).toList());

        HicacheLayout own =
                new HicacheLayout(Optional.of(new PageNames(model, List.of())), true, NameRules.refusingLong());
        HicacheLayout object = new HicacheLayout(Optional.empty(), false, NameRules.refusingLong());
        for (int i = 0; i < keys.size(); i++) {
            PageKey key = keys.get(i);
            String text = expected.get(i);
            String bucket = String.format("%02x/", HicacheLayout.hash(text) & 0xff);
            for (HicacheLayout layout : List.of(ANY, own)) {
                layout.name(key, name);
                assertEquals(bucket + text, name.toString());
                PageKey read = (PageKey) layout.parseName(bucket + text).orElseThrow();
                assertEquals(key, read);
                assertEquals(
                        List.of(key.model(), key.tpRank(), key.tpSize(), key.pool(), key.part()),
                        List.of(read.model(), read.tpRank(), read.tpSize(), read.pool(), read.part()));
                assertEquals(key, layout.parseKey(text));
                assertEquals(Optional.empty(), layout.parseName(text), "a file without its bucket");
            }
            object.name(key, name);
            assertEquals(text, name.toString(), "object stores have no buckets");
            assertEquals(row.get("cleaner_groups").get(i).asText(), PageGroup.of(text));
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void routeOfAName(JsonNode row) {
        String text = row.get("name").asText();
        long hash = HicacheLayout.hash(text);
        assertEquals(row.get("hash").asText(), String.format("%016x", hash));
        String bucket = row.get("bucket").asText();
        byte[] physical = (bucket + "/" + text).getBytes(StandardCharsets.UTF_8);
        for (int roots : new int[] {1, 2, 3, 4, 7, 12}) {
            int expected = row.get("disk_of_" + roots).asInt();
            assertEquals(expected, HicacheLayout.root(hash, roots));
            assertEquals(expected, ANY.routing().orElseThrow().root(physical, 0, physical.length, roots));
        }
        if (!text.isEmpty() && text.length() < 256) {
            ANY.name(ANY.parseKey(text), name);
            assertEquals(bucket + "/" + text, name.toString());
            assertTrue(ANY.parseName(name.toString()).isPresent());
        }
    }
}
