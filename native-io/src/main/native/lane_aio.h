// Engine `aio`: Linux AIO by raw system calls. Asynchronous for direct I/O only; the kernel copies buffered bytes at submission.
#pragma once
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lane_queued.h"

namespace nixlkv {

class AioLane : public QueuedLane {
  public:
    AioLane(std::shared_ptr<Backend> shared, int depth)
        : QueuedLane(std::move(shared), depth), blocks_(new struct iocb[static_cast<size_t>(this->depth())]),
          events_(new struct io_event[static_cast<size_t>(this->depth())]) {}

    ~AioLane() override {
        if (context_ != 0) {
            ::syscall(SYS_io_destroy, context_);
        }
    }

    // 0 or an errno.
    int open() { return ::syscall(SYS_io_setup, depth(), &context_) == 0 ? 0 : errno; }

  protected:
    int submit(Task* const* tasks, int count) override {
        pointers_.clear();
        for (int i = 0; i < count; i++) {
            Task* task = tasks[i];
            struct iocb& block = blocks_[static_cast<size_t>(number(task))];
            std::memset(&block, 0, sizeof block);
            block.aio_data = static_cast<uint64_t>(number(task));
            block.aio_lio_opcode = static_cast<uint16_t>(task->write ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD);
            block.aio_fildes = static_cast<uint32_t>(task->file);
            block.aio_buf = reinterpret_cast<uint64_t>(task->memory + task->done);
            block.aio_nbytes = static_cast<uint64_t>(task->chunk());
            block.aio_offset = task->position + task->done;
            pointers_.push_back(&block);
        }
        while (true) {
            long taken = ::syscall(SYS_io_submit, context_, static_cast<long>(count), pointers_.data());
            if (taken >= 0) {
                return static_cast<int>(taken);
            }
            if (errno != EINTR) {
                return errno == EAGAIN ? 0 : -errno;
            }
        }
    }

    void reap() override {
        while (true) {
            long found = ::syscall(SYS_io_getevents, context_, 1L, static_cast<long>(depth()), events_.get(), nullptr);
            for (long i = 0; i < found; i++) {
                const struct io_event& event = events_[static_cast<size_t>(i)];
                completed(task(static_cast<int>(event.data)), event.res);
            }
            if (found > 0) {
                return;
            }
        }
    }

  private:
    aio_context_t context_ = 0;
    const std::unique_ptr<struct iocb[]> blocks_;
    const std::unique_ptr<struct io_event[]> events_;
    std::vector<struct iocb*> pointers_;
};

}  // namespace nixlkv
