// What all lanes of one backend share: memory, directories, pools, staged objects and the order to stop.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "helpers.h"
#include "presence.h"
#include "root.h"

namespace nixlkv {

enum EngineKind : int32_t { THREADS = 0, URING = 1, AIO = 2, POSIX_AIO = 3 };

struct Segment {
    char* base;
    int64_t bytes;
};

// A file of a pool, opened once for each way; not open if its slot was lost, which is Java's to make anew.
struct PoolFile {
    Descriptor buffered;
    Descriptor direct;
    int block = 0;
};

struct Pool {
    int32_t count;
    int32_t slotBytes;
    std::vector<PoolFile> files;  // one for each root, or, root by root, one for each slot
    bool separate = false;        // one for each slot

    PoolFile& file(int32_t root, int64_t slot) {
        return files[static_cast<size_t>(separate ? static_cast<int64_t>(root) * count + slot : root)];
    }
    int64_t position(int64_t slot) const { return separate ? 0 : slot * slotBytes; }
};

// A finished temporary and the name it is meant for.
struct Staged {
    int32_t root;
    int32_t length;
    std::string name;
    std::string temporary;
};

class Backend {
  public:
    Backend(EngineKind kind, int submitters, int queueDepth)
        : kind_(kind), queueDepth_(queueDepth), helpers_(submitters) {}

    // Forgets everything that is staged.
    void discardAll() {
        std::lock_guard<std::mutex> lock(mutex_);
        for (auto& entry : staged_) {
            remove(entry.second);
        }
        staged_.clear();
    }

    EngineKind kind() const { return kind_; }
    int queueDepth() const { return queueDepth_; }
    Helpers& helpers() { return helpers_; }
    Presence& presence() { return presence_; }

    // Filled before the first lane opens, constant afterwards.
    std::vector<Segment> segments;
    std::vector<std::unique_ptr<Root>> roots;

    void stop() { stopped_.store(true, std::memory_order_release); }
    bool stopped() const { return stopped_.load(std::memory_order_acquire); }

    char* slice(int16_t segment, int32_t offset, int32_t length) const {
        if (segment < 0 || segment >= static_cast<int>(segments.size()) || offset < 0 || length < 0
            || static_cast<int64_t>(offset) + length > segments[segment].bytes) {
            return nullptr;
        }
        return segments[segment].base + offset;
    }

    int64_t addPool(std::shared_ptr<Pool> pool) {
        // unique in the process, so that a pool of another backend is never taken for one of this
        static std::atomic<int64_t> last{0};
        int64_t handle = ++last;
        std::lock_guard<std::mutex> lock(mutex_);
        pools_[handle] = std::move(pool);
        return handle;
    }

    // Running batches keep the files open until they end.
    void closePool(int64_t handle) {
        std::lock_guard<std::mutex> lock(mutex_);
        pools_.erase(handle);
    }

    std::shared_ptr<Pool> pool(int64_t handle) {
        std::lock_guard<std::mutex> lock(mutex_);
        auto found = pools_.find(handle);
        return found == pools_.end() ? nullptr : found->second;
    }

    int64_t stage(Staged staged) {
        std::lock_guard<std::mutex> lock(mutex_);
        int64_t token = ++lastToken_;
        staged_.emplace(token, std::move(staged));
        return token;
    }

    // Spends a token; false if there is no such token.
    bool take(int64_t token, Staged& into) {
        std::lock_guard<std::mutex> lock(mutex_);
        auto found = staged_.find(token);
        if (found == staged_.end()) {
            return false;
        }
        into = std::move(found->second);
        staged_.erase(found);
        return true;
    }

    // Gives a token back that was taken but not spent.
    void restore(int64_t token, Staged staged) {
        std::lock_guard<std::mutex> lock(mutex_);
        staged_.emplace(token, std::move(staged));
    }

    void remove(const Staged& staged) {
        ::unlinkat(roots[staged.root]->temporaries(), staged.temporary.c_str(), 0);
    }

  private:
    const EngineKind kind_;
    const int queueDepth_;
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;
    std::unordered_map<int64_t, std::shared_ptr<Pool>> pools_;
    std::unordered_map<int64_t, Staged> staged_;
    int64_t lastToken_ = 0;
    Presence presence_;
    Helpers helpers_;
};

}  // namespace nixlkv
