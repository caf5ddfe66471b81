// What tells a read that a plugin calls a success from one that stopped short: a mark at the end of the slice, gone if it was filled.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "request_files.h"

namespace nixlkv {
namespace nixl {

class Marks {
  public:
    // Forgets everything; room for the items of `work`.
    void start(const request::Work& work) { marks_.assign(static_cast<size_t>(work.header.items), 0); }

    void plant(const request::Work& work, const request::RequestItem& item) {
        if (work.sentinel()) {
            // never the same twice in a row, not in a single byte either
            uint64_t mark =
                ~last_ ^ (static_cast<uint64_t>(nowNanos()) * 0x9e3779b97f4a7c15ull & 0xfefefefefefefefeull);
            last_ = mark;
            marks_[work.index(item)] = mark;
            std::memcpy(end(item), &mark, bytes(item));
        }
    }

    // Whether the whole mark is there: what was moved ended well before the end of the slice.
    bool untouched(const request::Work& work, const request::RequestItem& item) const {
        return work.sentinel() && std::memcmp(end(item), &marks_[work.index(item)], bytes(item)) == 0;
    }

    // Whether the last byte is that of the mark: maybe a single byte is missing, maybe it is just equal; another mark decides.
    bool maybeShort(const request::Work& work, const request::RequestItem& item) const {
        return work.sentinel() && end(item)[bytes(item) - 1] == reinterpret_cast<const char*>(&marks_[work.index(item)])[bytes(item) - 1];
    }

  private:
    static size_t bytes(const request::RequestItem& item) {
        return std::min<size_t>(sizeof(uint64_t), static_cast<size_t>(item.length));
    }

    static char* end(const request::RequestItem& item) {
        return reinterpret_cast<char*>(item.address) + item.length - bytes(item);
    }

    uint64_t last_ = 0x6e69786c6b762121ull;
    std::vector<uint64_t> marks_;
};

}  // namespace nixl
}  // namespace nixlkv
