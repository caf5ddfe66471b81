// Engine `threads`: plain pread and pwrite by the lane's own thread and the backend's helpers.
#pragma once
#include "durable_group.h"
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
        void drain(Task& own) {
            Runner runner(batch_, own);
            for (int32_t at = next_++; at < batch_.size(); at = next_++) {
                runner.run(at);
            }
        }

        Batch& batch_;
        Task& own_;
        std::atomic<bool> first_{true};
        std::atomic<int32_t> next_{0};
    };

    // Carries out items one after the other on one thread.
    class Runner {
      public:
        Runner(Batch& batch, Task& own) : batch_(batch), free_(&own) {}

        ~Runner() { settle(); }

        void run(int32_t index) {
            if (batch_.backend.stopped()) {
                Task::refuse(batch_, index);
            } else if (batch_.expired()) {
                Task::expire(batch_, index);
            } else if (!begun(index)) {
                settle();
                if (!begun(index)) {
                    batch_.fail(index, EMFILE, OPEN);
                }
            }
        }

      private:
        // False when no descriptor is free; nothing has happened then.
        bool begun(int32_t index) {
            Next next = free_->begin(batch_, index);
            if (next == Next::MOVE) {
                move(*free_);
                finish();
            }
            return next != Next::NO_FILES;
        }

        void finish() {
            Task* task = free_;
            if (!task->durable()) {
                task->end();
                return;
            }
            group_.add(task);
            free_ = group_.full() ? nullptr : another();
            if (free_ == nullptr) {
                settle();
                free_ = another();
            }
        }

        Task* another() {
            if (!idle_.empty()) {
                Task* task = idle_.back();
                idle_.pop_back();
                return task;
            }
            std::unique_ptr<Task> task(new (std::nothrow) Task);
            if (task) {
                more_.push_back(std::move(task));
                return more_.back().get();
            }
            return nullptr;
        }

        void settle() {
            group_.settle([this](Task* task) { idle_.push_back(task); });
        }

        Batch& batch_;
        Task* free_;
        std::vector<std::unique_ptr<Task>> more_;
        std::vector<Task*> idle_;
        DurableGroup group_;
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
