// Whether writers that must not replace look for their object before they write it. Publication says by itself when a name is
// taken, and a look before it holds the directory's lock against the publications of other threads: with four of them at 64 KiB
// it costs a third of the throughput. So they look only for a while after an object was found to be there, when a look saves
// writing in vain.
#pragma once
#include <atomic>

namespace nixlkv {

class Presence {
  public:
    bool likely() const { return looks_.load(std::memory_order_relaxed) > 0; }

    void found() { looks_.store(LOOKS, std::memory_order_relaxed); }

    void absent() {
        int left = looks_.load(std::memory_order_relaxed);
        if (left > 0) {
            looks_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed);
        }
    }

  private:
    static constexpr int LOOKS = 64;

    std::atomic<int> looks_{0};
};

}  // namespace nixlkv
