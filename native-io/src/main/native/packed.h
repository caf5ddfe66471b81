// The packed batch of io.nixlkv.spi.PackedBatch, ABI version 1.
#pragma once
#include <cstddef>
#include <cstdint>

namespace nixlkv {

constexpr int32_t PACKED_MAGIC = 0x4e4b5642;
constexpr int32_t PACKED_ABI = 1;

enum Op : int32_t { WRITE = 0, READ = 1, QUERY = 2, DELETE = 3, STAGE = 4, PUBLISH_STAGED = 5, DISCARD = 6 };

enum Mode : int32_t { CREATE = 0, REPLACE = 1 };

struct PackedHeader {
    int32_t magic;
    int32_t abi;
    int32_t op;
    int32_t mode;
    int32_t flags;
    int32_t items;
    int64_t deadline;
    int64_t pool;
    int32_t names;
    int32_t namesEnd;
    int64_t zero[2];
};

struct PackedItem {
    int64_t address;
    int64_t slot;  // or stage token
    int32_t offset;
    int32_t length;
    int16_t segment;
    int16_t root;
    int32_t name;
    int32_t nameLength;
    int32_t result;
    int64_t stored;
};

static_assert(sizeof(PackedHeader) == 64, "header of the packed form");
static_assert(offsetof(PackedHeader, deadline) == 24 && offsetof(PackedHeader, names) == 40, "header of the packed form");
static_assert(sizeof(PackedItem) == 48, "item of the packed form");
static_assert(offsetof(PackedItem, result) == 36 && offsetof(PackedItem, stored) == 40, "item of the packed form");

// Whether the request lies whole in its buffer: nothing after this looks at offsets again.
inline bool wellFormed(const PackedHeader* header, int64_t bytes) {
    if (bytes < static_cast<int64_t>(sizeof(PackedHeader)) || header->magic != PACKED_MAGIC || header->abi != PACKED_ABI) {
        return false;
    }
    if (header->op < WRITE || header->op > DISCARD || header->mode < CREATE || header->mode > REPLACE) {
        return false;
    }
    int64_t itemsEnd = sizeof(PackedHeader) + static_cast<int64_t>(header->items) * sizeof(PackedItem);
    if (header->items < 0 || itemsEnd > header->names || header->names > header->namesEnd || header->namesEnd > bytes) {
        return false;
    }
    const auto* items = reinterpret_cast<const PackedItem*>(header + 1);
    for (int32_t i = 0; i < header->items; i++) {
        const PackedItem& item = items[i];
        if (item.nameLength != 0
            && (item.nameLength < 0 || item.name < header->names
                || static_cast<int64_t>(item.name) + item.nameLength > header->namesEnd)) {
            return false;
        }
    }
    return true;
}

}  // namespace nixlkv
