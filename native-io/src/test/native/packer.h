// Builds packed batches for the native tests, as PackedBatch does in Java.
#pragma once
#include <string>
#include <vector>

#include "calls.h"

struct Packer {
    std::vector<long long> words;
    int items = 0;
    int capacity;

    explicit Packer(int capacity) : words(8 + static_cast<size_t>(capacity) * 6 + 8192, 0), capacity(capacity) {}

    nixlkv::PackedHeader* header() { return reinterpret_cast<nixlkv::PackedHeader*>(words.data()); }
    nixlkv::PackedItem& item(int index) { return reinterpret_cast<nixlkv::PackedItem*>(header() + 1)[index]; }
    long long bytes() const { return static_cast<long long>(words.size() * 8); }

    void start(int op, int mode, bool durable, long long pool = 0) {
        *header() = nixlkv::PackedHeader{};
        header()->magic = nixlkv::PACKED_MAGIC;
        header()->abi = nixlkv::PACKED_ABI;
        header()->op = op;
        header()->mode = mode;
        header()->flags = durable ? 1 : 0;
        header()->pool = pool;
        header()->names = header()->namesEnd = 64 + capacity * 48;
    }

    void add(const std::string& name, int offset, int length, long long slot = 0) {
        int index = header()->items++;
        item(index) = nixlkv::PackedItem{};
        item(index).offset = offset;
        item(index).length = length;
        item(index).slot = slot;
        item(index).name = header()->namesEnd;
        item(index).nameLength = static_cast<int>(name.size());
        std::memcpy(reinterpret_cast<char*>(header()) + header()->namesEnd, name.data(), name.size());
        header()->namesEnd += static_cast<int>(name.size());
    }
};
