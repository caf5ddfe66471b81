// Engine `uring`: one ring for each lane, the arena registered where the memlock limit allows.
#pragma once
#include <sched.h>

#include "lane_queued.h"
#include "ring.h"

namespace nixlkv {

class UringLane : public QueuedLane {
  public:
    UringLane(std::shared_ptr<Backend> shared, int depth) : QueuedLane(std::move(shared), depth) {}

    // 0 or an errno.
    int open() {
        int error = ring_.open(static_cast<unsigned>(depth()));
        bool bypass = false;
        for (const auto& root : backend.roots) {
            bypass = bypass || root->block() > 0;
        }
        if (error == 0 && bypass) {
            std::vector<struct iovec> buffers;
            for (const Segment& segment : backend.segments) {
                buffers.push_back({segment.base, static_cast<size_t>(segment.bytes)});
            }
            registration_ = ring_.registerBuffers(buffers.data(), static_cast<unsigned>(buffers.size()));
        }
        return error;
    }

    // Why the arena is not registered: an errno, 0 if it is, -1 if nothing goes around the page cache.
    int registration() const { return registration_; }

  protected:
    int submit(Task* const* tasks, int count) override {
        int taken = 0;
        for (; taken < count; taken++) {
            struct io_uring_sqe* entry = ring_.next();
            if (entry == nullptr) {
                break;
            }
            prepare(entry, tasks[taken]);
        }
        return taken;
    }

    void reap() override {
        while (true) {
            int error = ring_.enter(1);
            unsigned found = ring_.drain([this](uint64_t data, int result) {
                completed(task(static_cast<int>(data)), result);
            });
            if (found > 0) {
                return;
            }
            if (error != 0) {
                // the kernel is short of memory for requests; what it took completes all the same
                ::sched_yield();
            }
        }
    }

  private:
    void prepare(struct io_uring_sqe* entry, Task* task) {
        bool fixed = registration_ == 0 && task->direct;
        entry->opcode = static_cast<uint8_t>(
            fixed ? (task->write ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED)
                  : (task->write ? IORING_OP_WRITE : IORING_OP_READ));
        entry->fd = task->file;
        entry->off = static_cast<uint64_t>(task->position + task->done);
        entry->addr = reinterpret_cast<uint64_t>(task->memory + task->done);
        entry->len = static_cast<uint32_t>(task->chunk());
        entry->buf_index = static_cast<uint16_t>(fixed ? task->segment : 0);
        entry->user_data = static_cast<uint64_t>(number(task));
    }

    Ring ring_;
    int registration_ = -1;
};

}  // namespace nixlkv
