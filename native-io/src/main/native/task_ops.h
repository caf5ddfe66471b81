// Items that only look or remove, and the reading half of Task.
#pragma once
#include "task.h"

namespace nixlkv {

inline void Task::release() {
    if (owned_ && file >= 0) {
        ::close(file);
    }
    file = -1;
    owned_ = false;
    if (temporary_[0] != 0) {
        ::unlinkat(root_->temporaries(), temporary_, 0);
        temporary_[0] = 0;
    }
    parentHolder_.reset(-1);
    parent_ = -1;
}

inline void Task::expire(Batch& batch, int32_t index) {
    if (batch.header->op == PUBLISH_STAGED) {
        Staged spent;
        if (batch.backend.take(batch.items[index].slot, spent)) {
            batch.backend.remove(spent);
        }
    }
    batch.remark(index, TIMED_OUT, 0, BEFORE);
}

inline Next Task::begin(Batch& batch, int32_t index) {
    batch_ = &batch;
    index_ = index;
    item_ = &batch.items[index];
    length = item_->length;
    done = 0;
    position = 0;
    cut_ = late_ = direct = synced_ = starting_ = unseen_ = false;
    error_ = 0;
    step_ = MOVE;
    int32_t op = batch.header->op;
    write = op == WRITE || op == STAGE;
    if (op == PUBLISH_STAGED) {
        return publishStaged();
    }
    if (op == DISCARD) {
        return discard();
    }
    if (item_->root < 0 || item_->root >= static_cast<int>(batch.backend.roots.size())) {
        return remark(INVALID, ROOT);
    }
    root_ = batch.backend.roots[item_->root].get();
    if (op == WRITE || op == STAGE || op == READ) {
        if (length < 1) {
            return remark(INVALID, LENGTH);
        }
        memory = batch.backend.slice(item_->segment, item_->offset, item_->length);
        segment = item_->segment;
        if (memory == nullptr) {
            return remark(INVALID, SLICE);
        }
    }
    if (batch.pooled()) {
        return beginSlot();
    }
    if (!nameAllowed(batch.name(*item_), item_->nameLength, root_->pathBytes())) {
        return remark(INVALID, NAME);
    }
    std::memcpy(name_, batch.name(*item_), static_cast<size_t>(item_->nameLength));
    name_[item_->nameLength] = 0;
    starting_ = true;
    Next next = start();
    starting_ = false;
    return next;
}

inline Next Task::start() {
    directory_ = root_->directory();
    switch (batch_->header->op) {
        case READ:
            return beginRead();
        case QUERY:
            return query();
        case DELETE:
            return erase();
        default:
            return beginWrite();
    }
}

inline Next Task::beginSlot() {
    Pool* pool = batch_->pool.get();
    if (pool == nullptr || (batch_->header->op != WRITE && batch_->header->op != READ)) {
        return remark(IN_JAVA, POOL);
    }
    if (item_->slot < 0 || item_->slot >= pool->count || length > pool->slotBytes) {
        return remark(IN_JAVA, SLOT);
    }
    PoolFile& opened = pool->file(item_->root, item_->slot);
    if (!opened.buffered.open()) {
        return remark(IN_JAVA, SLOT);
    }
    position = pool->position(item_->slot);
    direct = opened.direct.open() && fits(opened.block);
    file = direct ? opened.direct.get() : opened.buffered.get();
    owned_ = false;
    return Next::MOVE;
}

inline Next Task::beginRead() {
    direct = fits(root_->block());
    // a FIFO in the object's place would keep a blocking open for ever
    int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    file = openBeneath(root_->directory(), name_, flags | (direct ? O_DIRECT : 0), 0);
    if (file < 0 && direct && errno == EINVAL) {
        direct = false;
        file = openBeneath(root_->directory(), name_, flags, 0);
    }
    if (file < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return complete(MISSING, -1);
        }
        return errno == EMFILE || errno == ENFILE ? Next::NO_FILES : fail(errno, OPEN);
    }
    owned_ = true;
    struct stat found;
    if (::fstat(file, &found) != 0) {
        return fail(errno, LOOK);
    }
    if (!S_ISREG(found.st_mode)) {
        return remark(FAILED, FOREIGN);
    }
    if (found.st_size != length) {
        return found.st_size == 0 ? complete(MISSING, -1) : complete(WRONG_SIZE, found.st_size);
    }
    // io_uring answers EAGAIN for such a descriptor where the data is not in memory
    if (batch_->backend.kind() == URING && ::fcntl(file, F_SETFL, direct ? O_DIRECT : 0) != 0) {
        return fail(errno, OPEN);
    }
    return Next::MOVE;
}

// Finds the directory of `name` and its last part. False with errno if it cannot be opened.
inline bool Task::openParent(const char* name) {
    const char* slash = std::strrchr(name, '/');
    if (slash == nullptr) {
        parent_ = root_->directory();
        leaf_ = name;
        return true;
    }
    char folder[MAX_NAME_BYTES + 1];
    std::memcpy(folder, name, static_cast<size_t>(slash - name));
    folder[slash - name] = 0;
    leaf_ = slash + 1;
    parentHolder_.reset(openBeneath(root_->directory(), folder, O_PATH | O_DIRECTORY | O_CLOEXEC, 0));
    parent_ = parentHolder_.get();
    return parent_ >= 0;
}

inline Task::Found Task::look(int64_t& stored) {
    struct stat found;
    if (::fstatat(parent_, leaf_, &found, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? Found::ABSENT : Found::ERROR;
    }
    if (!S_ISREG(found.st_mode)) {
        return Found::OTHER;
    }
    stored = found.st_size;
    return stored == 0 ? Found::EMPTY : Found::OBJECT;
}

inline Next Task::query() {
    int64_t stored = 0;
    if (!openParent(name_)) {
        return errno == ENOENT || errno == ENOTDIR ? complete(MISSING, -1) : fail(errno, LOOK);
    }
    Found found = look(stored);
    if (found == Found::ERROR) {
        return fail(errno, LOOK);
    }
    return found == Found::OBJECT ? complete(DONE, stored) : complete(MISSING, -1);
}

inline Next Task::erase() {
    int64_t stored = 0;
    if (!openParent(name_)) {
        return errno == ENOENT || errno == ENOTDIR ? complete(MISSING, -1) : fail(errno, LOOK);
    }
    Found found = look(stored);
    if (found == Found::ERROR) {
        return fail(errno, LOOK);
    }
    if (found != Found::OBJECT) {
        return complete(MISSING, -1);
    }
    if (::unlinkat(parent_, leaf_, 0) != 0) {
        return errno == ENOENT ? complete(MISSING, -1) : fail(errno, REMOVE);
    }
    return complete(DONE, -1);
}

inline Next Task::discard() {
    Staged spent;
    if (!batch_->backend.take(item_->slot, spent)) {
        return remark(INVALID, TOKEN);
    }
    batch_->backend.remove(spent);
    return complete(DONE, -1);
}

inline bool Task::advance(int64_t result) {
    if (result == -EINTR || result == -EAGAIN) {
        return true;
    }
    if (result == -EINVAL && direct && owned_) {
        // the file system refuses this form, or what is left after a short transfer is not aligned
        int flags = ::fcntl(file, F_GETFL);
        if (flags >= 0 && ::fcntl(file, F_SETFL, flags & ~O_DIRECT) == 0) {
            direct = false;
            return true;
        }
    }
    if (result == -EINVAL && direct && !owned_) {
        direct = false;
        file = batch_->pool->file(item_->root, item_->slot).buffered.get();
        return true;
    }
    if (result < 0) {
        error_ = static_cast<int>(-result);
        return false;
    }
    if (result == 0) {
        cut_ = !write;
        error_ = write ? EIO : 0;
        return false;
    }
    done += result;
    if (done < length && (batch_->expired() || batch_->backend.stopped())) {
        late_ = true;
        return false;
    }
    return done < length;
}

inline void Task::end() {
    if (error_ != 0) {
        failWrite(error_, step_);
    } else if (late_) {
        if (durable() || !wasThere()) {
            remark(TIMED_OUT, DURING);
        }
    } else if (cut_) {
        if (batch_->pooled()) {
            remark(FAILED, CUT_SHORT);
        } else if (done == 0) {
            complete(MISSING, -1);
        } else {
            complete(WRONG_SIZE, done);
        }
    } else {
        batch_->moved(write, direct, length);
        if (batch_->pooled()) {
            stored(DONE);
            release();
        } else if (!write) {
            complete(DONE, length);
        } else if (batch_->header->op == STAGE) {
            endStage();
        } else {
            endWrite();
        }
    }
}

}  // namespace nixlkv
