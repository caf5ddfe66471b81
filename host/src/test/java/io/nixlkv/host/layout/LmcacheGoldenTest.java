package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.host.config.NameForm;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names made by LMCache 0.5.6's own functions. */
class LmcacheGoldenTest {

    record Row(ObjectKey key, String file, String wire, String shard, boolean roundTrips) {}

    private final NameBuffer name = new NameBuffer();

    static List<Row> rows() throws IOException {
        try (InputStream json = LmcacheGoldenTest.class.getResourceAsStream("/golden/names.json")) {
            return StreamSupport.stream(
                            new ObjectMapper().readTree(json).get("lmcache").spliterator(), false)
                    .map(LmcacheGoldenTest::row)
                    .toList();
        }
    }

    private static Row row(JsonNode row) {
        return new Row(
                new ObjectKey(
                        row.get("model").asText(),
                        row.get("kv_rank").asLong(),
                        row.get("object_group").asLong(),
                        row.get("chunk_hash").asText(),
                        row.get("cache_salt").asText()),
                row.get("file").asText(),
                row.get("wire").asText(),
                row.get("shard_dirs").asText(),
                row.get("round_trips").asBoolean());
    }

    @Test
    void thereAre26RowsAndThreeOfThemDoNotRoundTrip() throws IOException {
        assertEquals(26, rows().size());
        assertEquals(3, rows().stream().filter(row -> !row.roundTrips()).count());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void wireName(Row row) {
        LmcacheLayout wire = new LmcacheLayout(NameForm.WIRE, false);
        wire.name(row.key(), name);
        assertEquals(row.wire(), name.toString());
        assertEquals(row.wire(), row.key().text());
        assertEquals(Optional.of(row.key()), wire.parseName(row.wire()));
        assertEquals(row.key(), wire.parseKey(row.wire()));
        LmcacheLayout sharded = new LmcacheLayout(NameForm.WIRE, true);
        sharded.name(row.key(), name);
        assertEquals(row.shard() + row.wire(), name.toString());
        assertEquals(Optional.of(row.key()), sharded.parseName(row.shard() + row.wire()));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void fileName(Row row) {
        LmcacheLayout file = new LmcacheLayout(NameForm.FILE, false);
        LmcacheLayout sharded = new LmcacheLayout(NameForm.FILE, true);
        if (!row.roundTrips()) {
            for (LmcacheLayout layout : List.of(file, sharded)) {
                StorageException refused = assertThrows(StorageException.class, () -> layout.name(row.key(), name));
                assertEquals(Status.INVALID, refused.status());
                assertTrue(refused.getMessage().contains("\"" + row.wire() + "\""), refused.getMessage());
                assertTrue(refused.getMessage().contains("layout lmcache"), refused.getMessage());
                assertTrue(refused.getMessage().contains("name_form = \"wire\""), refused.getMessage());
            }
            return;
        }
        file.name(row.key(), name);
        assertEquals(row.file(), name.toString());
        assertEquals(Optional.of(row.key()), file.parseName(row.file()));
        sharded.name(row.key(), name);
        assertEquals(row.shard() + row.file(), name.toString());
        assertEquals(Optional.of(row.key()), sharded.parseName(row.shard() + row.file()));
        assertEquals(Optional.empty(), file.parseName(row.shard() + row.file()), "the other shard layout");
        assertEquals(Optional.empty(), sharded.parseName(row.file()), "the other shard layout");
    }
}
