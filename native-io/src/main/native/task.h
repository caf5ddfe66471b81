// One item under way: what happens before its bytes move, and after.
#pragma once
#include <sys/stat.h>

#include <algorithm>
#include <new>

#include "batch.h"

namespace nixlkv {

constexpr int64_t CHUNK_BYTES = 8 << 20;

// What a lane does next with an item.
enum class Next {
    ENDED,     // its result is said
    MOVE,      // its bytes can move
    NO_FILES   // no descriptor is free; nothing has happened yet
};

class Task {
  public:
    // Where the bytes of this item are and go.
    char* memory = nullptr;
    int64_t length = 0;
    int64_t done = 0;
    int64_t position = 0;
    int file = -1;
    bool write = false;
    bool direct = false;
    int32_t segment = 0;

    int64_t chunk() const { return std::min(CHUNK_BYTES, length - done); }

    // Whether it has to be brought to stable storage, once its bytes have moved, before it is published.
    bool durable() const { return write && owned_ && batch_->durable(); }

    // Starts item `index`; everything but WRITE, READ and STAGE is done at once.
    Next begin(Batch& batch, int32_t index);

    // Called with the result of moving bytes: a count or a negative errno. True if more are to move.
    bool advance(int64_t result);

    // Starts writing the item's data to its device. What fails shows in `sync`.
    void writeBack() const;

    // Brings the data of a written item to stable storage, unless the move failed or the deadline has passed.
    void sync();

    // Ends an item whose bytes have moved, or whose move ended for the reason that `advance` noted.
    void end();

    // Ends an item that was not begun.
    static void expire(Batch& batch, int32_t index);
    static void refuse(Batch& batch, int32_t index) { batch.remark(index, UNAVAILABLE, 0, CLOSED); }

  private:
    enum class Found { ABSENT, EMPTY, OBJECT, OTHER, ERROR };

    Next fail(int error, int32_t step) {
        if (starting_ && isLost(error) && root_->reopen(directory_)) {
            release();
            return start();
        }
        batch_->fail(index_, error, step);
        release();
        return Next::ENDED;
    }
    Next remark(int32_t kind, int32_t step) {
        batch_->remark(index_, kind, 0, step);
        release();
        return Next::ENDED;
    }
    Next complete(int32_t status, int64_t stored) {
        batch_->complete(index_, status, stored);
        release();
        return Next::ENDED;
    }

    // What is said of a file system whose server is gone.
    static bool isLost(int error) { return error == ENOTCONN || error == ECONNABORTED || error == ESTALE; }

    // Starts an item by its name; it is started once more where its directory was lost and is back.
    Next start();
    Next beginSlot();
    Next beginWrite();
    Next failWrite(int error, int32_t step);
    bool wasThere();
    Next beginRead();
    Next query();
    Next erase();
    Next publishStaged();
    Next discard();
    bool openParent(const char* name);
    Found look(int64_t& stored);
    Next taken(Found found, int64_t stored, int error);
    Next endWrite();
    Next endStage();
    void publish(int32_t root, const char* temporary);
    int place(const char* temporary);
    int replace(const char* temporary);
    void stored(int32_t status);
    void release();

    bool fits(int block) const {
        return block > 0 && reinterpret_cast<uintptr_t>(memory) % block == 0 && length % block == 0
            && position % block == 0;
    }

    Batch* batch_ = nullptr;
    PackedItem* item_ = nullptr;
    Root* root_ = nullptr;
    int32_t index_ = 0;
    bool owned_ = false;  // whether `file` is closed at the end
    bool cut_ = false;
    bool late_ = false;
    bool synced_ = false;
    bool starting_ = false;
    bool unseen_ = false;  // a write that must not replace, and has not looked
    int directory_ = -1;  // of its root, when it was started
    int error_ = 0;
    int32_t step_ = MOVE;
    Descriptor parentHolder_;
    int parent_ = -1;
    const char* leaf_ = nullptr;
    char temporary_[32] = "";
    char name_[MAX_NAME_BYTES + 1] = "";
};

}  // namespace nixlkv

#include "task_ops.h"
#include "task_write.h"
