// Whether writers that must not replace look for their object before they write it. Publication says by itself when a name is
// taken, and a look before it holds the directory's lock against the publications of other threads: with four of them at 64 KiB
// it costs a third of the throughput. So only some items look, until one finds something there; then all do, until many in a row
// find nothing. A batch of objects that are there is not written again, since its first item looks.
#pragma once
#include <atomic>
#include <cstdint>

namespace nixlkv {

class Presence {
  public:
    // Whether item `index` of a batch is to look.
    bool looks(int32_t index, int64_t length) const {
        return index % PROBE == 0 || length > MOST_IN_VAIN || looks_.load(std::memory_order_relaxed) > 0;
    }

    void found() { looks_.store(LOOKS, std::memory_order_relaxed); }

    void absent() {
        int left = looks_.load(std::memory_order_relaxed);
        if (left > 0) {
            looks_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed);
        }
    }

  private:
    static constexpr int PROBE = 16;
    static constexpr int LOOKS = 64;
    static constexpr int64_t MOST_IN_VAIN = 512 << 10;  // beside larger writes a look is cheap

    std::atomic<int> looks_{0};
};

}  // namespace nixlkv
