// Engine `posix_aio`: the C library's aio, which moves bytes on threads of its own, in order for each file.
#pragma once
#include <aio.h>

#include "lane_queued.h"

namespace nixlkv {

class PosixAioLane : public QueuedLane {
  public:
    PosixAioLane(std::shared_ptr<Backend> shared, int depth)
        : QueuedLane(std::move(shared), depth), blocks_(new struct aiocb[static_cast<size_t>(this->depth())]),
          waiting_(static_cast<size_t>(this->depth()), nullptr) {}

  protected:
    int submit(Task* const* tasks, int) override {
        Task* task = tasks[0];
        auto slot = static_cast<size_t>(number(task));
        struct aiocb& block = blocks_[slot];
        std::memset(&block, 0, sizeof block);
        block.aio_fildes = task->file;
        block.aio_buf = task->memory + task->done;
        block.aio_nbytes = static_cast<size_t>(task->chunk());
        block.aio_offset = task->position + task->done;
        block.aio_sigevent.sigev_notify = SIGEV_NONE;
        if ((task->write ? ::aio_write(&block) : ::aio_read(&block)) == 0) {
            waiting_[slot] = &block;
            return 1;
        }
        return errno == EAGAIN ? 0 : -errno;
    }

    void reap() override {
        bool found = false;
        while (!found) {
            ::aio_suspend(waiting_.data(), static_cast<int>(waiting_.size()), nullptr);
            for (size_t slot = 0; slot < waiting_.size(); slot++) {
                if (waiting_[slot] == nullptr) {
                    continue;
                }
                int error = ::aio_error(waiting_[slot]);
                if (error == EINPROGRESS) {
                    continue;
                }
                waiting_[slot] = nullptr;
                ssize_t result = ::aio_return(&blocks_[slot]);
                found = true;
                completed(task(static_cast<int>(slot)), error != 0 ? -error : result);
            }
        }
    }

  private:
    const std::unique_ptr<struct aiocb[]> blocks_;
    std::vector<const struct aiocb*> waiting_;
};

}  // namespace nixlkv
