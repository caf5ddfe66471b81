// Engine `threads`: plain pread and pwrite by the lane's own thread and the backend's helpers.
#pragma once
#include "lane.h"

namespace nixlkv {

// Below this a helper costs more than it brings.
constexpr int64_t WORTH_HELP_BYTES = 256 << 10;
constexpr int32_t WORTH_HELP_ITEMS = 8;

class ThreadsLane : public Lane {
  public:
    explicit ThreadsLane(std::shared_ptr<Backend> shared) : Lane(std::move(shared)), own_(new Task) {}

    void run(Batch& batch) override {
        Work work(batch, *own_);
        backend.helpers().run(work, helpers(batch));
    }

    // Moves all bytes of a begun task on the calling thread.
    static void move(Task& task) {
        while (true) {
            ssize_t moved = task.write
                ? ::pwrite(task.file, task.memory + task.done, static_cast<size_t>(task.chunk()), task.position + task.done)
                : ::pread(task.file, task.memory + task.done, static_cast<size_t>(task.chunk()), task.position + task.done);
            if (!task.advance(moved < 0 ? -errno : moved)) {
                return;
            }
        }
    }

    // Carries out one item on the calling thread.
    static void runItem(Batch& batch, Task& task, int32_t index) {
        if (batch.backend.stopped()) {
            Task::refuse(batch, index);
        } else if (batch.expired()) {
            Task::expire(batch, index);
        } else {
            switch (task.begin(batch, index)) {
                case Next::MOVE:
                    move(task);
                    task.end();
                    break;
                case Next::NO_FILES:
                    batch.fail(index, EMFILE, OPEN);
                    break;
                default:
                    break;
            }
        }
    }

  private:
    class Work : public SharedWork {
      public:
        Work(Batch& batch, Task& own) : batch_(batch), own_(own) {}

        void help() override {
            if (first_.exchange(false)) {
                drain(own_);
            } else {
                std::unique_ptr<Task> task(new (std::nothrow) Task);
                if (task) {
                    drain(*task);
                }
            }
        }

      private:
        void drain(Task& task) {
            for (int32_t at = next_++; at < batch_.size(); at = next_++) {
                runItem(batch_, task, at);
            }
        }

        Batch& batch_;
        Task& own_;
        std::atomic<bool> first_{true};
        std::atomic<int32_t> next_{0};
    };

    static int helpers(const Batch& batch) {
        int64_t bytes = 0;
        for (int32_t i = 0; i < batch.size() && bytes < WORTH_HELP_BYTES; i++) {
            bytes += batch.items[i].length;
        }
        bool worth = batch.size() > 1 && (bytes >= WORTH_HELP_BYTES || batch.size() >= WORTH_HELP_ITEMS);
        return worth ? batch.size() - 1 : 0;
    }

    const std::unique_ptr<Task> own_;
};

}  // namespace nixlkv
