// What the engines with a kernel or library queue share: items in flight, cut to the queue's depth, completed in any order.
#pragma once
#include "lane.h"
#include "lane_threads.h"

namespace nixlkv {

class QueuedLane : public Lane {
  public:
    QueuedLane(std::shared_ptr<Backend> shared, int depth)
        : Lane(std::move(shared)), depth_(std::max(1, std::min(depth, mostInFlight()))), tasks_(new Task[static_cast<size_t>(depth_)]) {
        for (int i = 0; i < depth_; i++) {
            free_.push_back(&tasks_[static_cast<size_t>(i)]);
        }
        ready_.reserve(static_cast<size_t>(depth_));
    }

    void run(Batch& batch) override {
        int32_t next = 0;
        while (true) {
            next = fill(batch, next);
            if (flying_ == 0 && ready_.empty()) {
                if (group_.empty()) {
                    return;
                }
                group_.settle([this](Task* task) { free_.push_back(task); });
                continue;
            }
            submitReady();
            if (flying_ > 0) {
                reap();
            }
        }
    }

  protected:
    // More files than this in flight gain nothing and cost descriptors, two for each: where few are allowed, a lane leaves
    // enough to the others.
    static int mostInFlight() {
        static const int files = [] {
            struct rlimit limit;
            bool known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
            return static_cast<int>(known ? std::min<rlim_t>(128, std::max<rlim_t>(1, limit.rlim_cur / 16)) : 16);
        }();
        return files;
    }

    int depth() const { return depth_; }
    Task* task(int number) { return &tasks_[static_cast<size_t>(number)]; }
    int number(const Task* task) const { return static_cast<int>(task - tasks_.get()); }

    // Hands tasks[0..count) to the queue. The number it took; or, when it took none, 0 for "full" and a negative errno
    // when it refuses the first.
    virtual int submit(Task* const* tasks, int count) = 0;

    // Waits for at least one completion and calls `completed` for each.
    virtual void reap() = 0;

    void completed(Task* task, int64_t result) {
        flying_--;
        if (task->advance(result)) {
            ready_.push_back(task);
        } else {
            finish(task);
        }
    }

  private:
    void finish(Task* task) {
        if (task->durable()) {
            group_.add(task);
        } else {
            task->end();
            free_.push_back(task);
        }
    }

    int32_t fill(Batch& batch, int32_t next) {
        while (next < batch.size() && !free_.empty()) {
            if (batch.backend.stopped()) {
                Task::refuse(batch, next++);
                continue;
            }
            if (batch.expired()) {
                Task::expire(batch, next++);
                continue;
            }
            Task* task = free_.back();
            Next what = task->begin(batch, next);
            if (what == Next::NO_FILES) {
                if (flying_ > 0 || !ready_.empty() || !group_.empty()) {
                    return next;  // again when some are closed
                }
                batch.fail(next, EMFILE, OPEN);
            } else if (what == Next::MOVE) {
                free_.pop_back();
                ready_.push_back(task);
            }
            next++;
        }
        return next;
    }

    void submitReady() {
        size_t given = 0;
        while (given < ready_.size()) {
            int taken = submit(ready_.data() + given, static_cast<int>(ready_.size() - given));
            if (taken > 0) {
                given += static_cast<size_t>(taken);
                flying_ += taken;
            } else if (taken == 0 && flying_ > 0) {
                break;
            } else {
                // the queue does not take it at all: the lane's own thread can
                Task* task = ready_[given++];
                ThreadsLane::move(*task);
                finish(task);
            }
        }
        ready_.erase(ready_.begin(), ready_.begin() + static_cast<long>(given));
    }

    const int depth_;
    const std::unique_ptr<Task[]> tasks_;
    std::vector<Task*> free_;
    std::vector<Task*> ready_;
    DurableGroup group_;
    int flying_ = 0;
};

}  // namespace nixlkv
