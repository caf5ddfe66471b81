// Written items of a durable batch that wait for stable storage together. Each fdatasync of a new file commits the file system's
// journal; when the data of all is on its way before, one commit serves many files of the group.
#pragma once
#include <sys/resource.h>

#include <vector>

#include "task.h"

namespace nixlkv {

class DurableGroup {
  public:
    // Every waiting item keeps up to two descriptors open.
    static size_t most() {
        static const size_t files = [] {
            struct rlimit limit;
            bool known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
            return static_cast<size_t>(known ? std::min<rlim_t>(32, std::max<rlim_t>(1, limit.rlim_cur / 64)) : 1);
        }();
        return files;
    }

    bool empty() const { return waiting_.empty(); }
    bool full() const { return waiting_.size() >= most(); }

    void add(Task* task) {
        task->writeBack();
        waiting_.push_back(task);
    }

    // Brings all items to stable storage, then publishes each; `freed(task)` for every one.
    template <typename Freed>
    void settle(Freed freed) {
        for (Task* task : waiting_) {
            task->sync();
        }
        for (Task* task : waiting_) {
            task->end();
            freed(task);
        }
        waiting_.clear();
    }

  private:
    std::vector<Task*> waiting_;
};

}  // namespace nixlkv
