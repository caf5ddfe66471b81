// What tells a read that a plugin calls a success from one that stopped short: a mark at the end of the slice, gone if it was filled.
// In memory of a GPU marks are planted and looked at by the driver.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda_device.h"
#include "request_files.h"

namespace nixlkv {
namespace nixl {

class Marks {
  public:
    // Slices are in the memory of this device.
    void onDevice(const cuda::Device* device) { device_ = device; }

    // Forgets everything; room for the items of `work`.
    void start(const request::Work& work) { marks_.assign(static_cast<size_t>(work.header.items), Mark{0, false}); }

    void plant(const request::Work& work, const request::RequestItem& item) {
        if (work.sentinel()) {
            // never the same twice in a row, not in a single byte either
            uint64_t mark =
                ~last_ ^ (static_cast<uint64_t>(nowNanos()) * 0x9e3779b97f4a7c15ull & 0xfefefefefefefefeull);
            last_ = mark;
            bool planted = true;
            if (device_ != nullptr) {
                planted = device_->copyIn(end(item), &mark, bytes(item)) == cuda::SUCCESS;
            } else {
                std::memcpy(reinterpret_cast<void*>(end(item)), &mark, bytes(item));
            }
            marks_[work.index(item)] = {mark, planted};
        }
    }

    // Whether the whole mark is there: what was moved ended well before the end of the slice. So it is where nobody can tell.
    bool untouched(const request::Work& work, const request::RequestItem& item) const {
        return work.sentinel() && equals(work, item, 0);
    }

    // Whether the last byte is that of the mark: maybe a single byte is missing, maybe it is just equal; another mark decides.
    bool maybeShort(const request::Work& work, const request::RequestItem& item) const {
        return work.sentinel() && equals(work, item, bytes(item) - 1);
    }

  private:
    struct Mark {
        uint64_t value;
        bool planted;
    };

    // Whether the slice's end is the mark, from byte `from` of it on; also if it cannot be looked at.
    bool equals(const request::Work& work, const request::RequestItem& item, size_t from) const {
        const Mark& mark = marks_[work.index(item)];
        char found[sizeof(uint64_t)];
        if (!mark.planted) {
            return true;
        }
        if (device_ == nullptr) {
            std::memcpy(found, reinterpret_cast<const void*>(end(item)), bytes(item));
        } else if (device_->copyOut(found, end(item), bytes(item)) != cuda::SUCCESS) {
            return true;
        }
        return std::memcmp(found + from, reinterpret_cast<const char*>(&mark.value) + from, bytes(item) - from) == 0;
    }

    static size_t bytes(const request::RequestItem& item) {
        return std::min<size_t>(sizeof(uint64_t), static_cast<size_t>(item.length));
    }

    // Address of the mark.
    static uint64_t end(const request::RequestItem& item) {
        return item.address + static_cast<uint64_t>(item.length) - bytes(item);
    }

    uint64_t last_ = 0x6e69786c6b762121ull;
    std::vector<Mark> marks_;
    const cuda::Device* device_ = nullptr;
};

}  // namespace nixl
}  // namespace nixlkv
