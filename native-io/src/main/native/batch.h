// A batch while it is executed: request, results, remarks for Java and counters.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>

#include "backend.h"
#include "clock.h"
#include "outcome.h"
#include "packed.h"

namespace nixlkv {

// What Java has to finish or to explain; 16 bytes, read by NativeRemarks.
struct Remark {
    int32_t item;
    int32_t kind;  // above 0: the status to fail with; else a Handover
    int32_t error;
    int32_t step;
};

// Growing numbers of one call, read by Java.
struct Counters {
    std::atomic<int64_t> direct;
    std::atomic<int64_t> buffered;
    std::atomic<int64_t> bytesRead;
    std::atomic<int64_t> bytesWritten;
};

static_assert(sizeof(Remark) == 16 && sizeof(Counters) == 32, "forms that Java reads");

class Batch {
  public:
    Batch(Backend& backend, PackedHeader* header, int64_t deadline, Remark* remarks, Counters* counters)
        : backend(backend), header(header), items(reinterpret_cast<PackedItem*>(header + 1)),
          pool(header->pool == 0 ? nullptr : backend.pool(header->pool)), deadline_(deadline), remarks_(remarks),
          counters_(counters) {}

    Backend& backend;
    PackedHeader* const header;
    PackedItem* const items;
    const std::shared_ptr<Pool> pool;

    int32_t size() const { return header->items; }
    bool durable() const { return (header->flags & 1) != 0; }
    bool pooled() const { return header->pool != 0; }
    bool expired() const { return nowNanos() - deadline_ >= 0; }
    const char* name(const PackedItem& item) const { return reinterpret_cast<const char*>(header) + item.name; }

    void complete(int32_t index, int32_t status, int64_t stored) {
        items[index].stored = stored;
        __atomic_store_n(&items[index].result, status, __ATOMIC_RELEASE);
    }

    void remark(int32_t index, int32_t kind, int error, int32_t step) {
        remarks_[count_.fetch_add(1, std::memory_order_relaxed)] = Remark{index, kind, error, step};
    }

    void fail(int32_t index, int error, int32_t step) { remark(index, statusOf(error), error, step); }

    void moved(bool write, bool direct, int64_t bytes) {
        (direct ? counters_->direct : counters_->buffered).fetch_add(1, std::memory_order_relaxed);
        (write ? counters_->bytesWritten : counters_->bytesRead).fetch_add(bytes, std::memory_order_relaxed);
    }

    int32_t remarks() const { return count_.load(std::memory_order_acquire); }

  private:
    const int64_t deadline_;
    Remark* const remarks_;
    Counters* const counters_;
    std::atomic<int32_t> count_{0};
};

}  // namespace nixlkv
