// The writing half of Task: a temporary, and its publication whole or not at all.
#pragma once
#include "task.h"

namespace nixlkv {

inline Next Task::beginWrite() {
    bool stage = batch_->header->op == STAGE;
    bool create = batch_->header->mode == CREATE;
    if (!stage) {
        if (!openParent(name_) && errno != ENOENT) {
            return errno == EMFILE || errno == ENFILE ? Next::NO_FILES : fail(errno, LOOK);
        }
        if (create) {
            if (root_->publication() == 0) {
                return remark(IN_JAVA, PUBLISH);
            }
            unseen_ = !batch_->backend.presence().looks(index_, length);
            if (!unseen_) {
                int64_t stored = 0;
                Found found = parent_ < 0 ? Found::ABSENT : look(stored);
                if (found != Found::ABSENT) {
                    return taken(found, stored, errno);
                }
                batch_->backend.presence().absent();
            }
        }
    }
    direct = fits(root_->block());
    bool unnamed = !stage && (root_->publication() & UNNAMED) != 0;
    file = root_->openTemporary(unnamed, direct, temporary_);
    if (file < 0 && direct && errno == EINVAL) {
        direct = false;
        file = root_->openTemporary(unnamed, false, temporary_);
    }
    if (file < 0) {
        int error = errno;
        temporary_[0] = 0;
        bool noFiles = error == EMFILE || error == ENFILE;
        if (noFiles && wasThere()) {
            return Next::ENDED;
        }
        if (noFiles) {
            release();
            return Next::NO_FILES;
        }
        return failWrite(error, OPEN);
    }
    owned_ = true;
    return Next::MOVE;
}

// A store that is full or read-only fails no object that it has.
inline Next Task::failWrite(int error, int32_t step) { return wasThere() ? Next::ENDED : fail(error, step); }

// Looks, if it was not done before, why a write came to nothing. True if something is there, which then is its result.
inline bool Task::wasThere() {
    if (!unseen_ || parent_ < 0) {
        return false;
    }
    unseen_ = false;
    int64_t stored = 0;
    Found found = look(stored);
    if (found == Found::ABSENT || found == Found::ERROR) {
        return false;
    }
    taken(found, stored, 0);
    return true;
}

inline Next Task::taken(Found found, int64_t stored, int error) {
    if (found != Found::ERROR) {
        batch_->backend.presence().found();
    }
    switch (found) {
        case Found::OBJECT:
            if (stored != length) {
                return complete(WRONG_SIZE, stored);
            }
            if (batch_->durable()) {
                // its writer may not have asked for durability, but this caller relies on it
                Descriptor object(::openat(parent_, leaf_, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
                if (!object.open() || ::fdatasync(object.get()) != 0) {
                    return fail(errno, SYNC);
                }
            }
            this->stored(ALREADY_PRESENT);
            release();
            return Next::ENDED;
        case Found::OTHER:
            return remark(FAILED, FOREIGN);
        case Found::ERROR:
            return fail(error, LOOK);
        default:
            // an empty leftover is replaced under a lock that the Java lanes of all processes share
            return remark(IN_JAVA, PUBLISH);
    }
}

inline void Task::writeBack() const {
    if (error_ == 0 && !late_ && !direct) {
        ::sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
    }
}

inline void Task::sync() {
    if (synced_ || error_ != 0 || late_) {
        return;
    }
    synced_ = true;
    if (batch_->expired()) {
        late_ = true;
    } else if (::fdatasync(file) != 0) {
        error_ = errno;
        step_ = SYNC;
    }
}

inline Next Task::endStage() {
    int64_t token;
    try {
        token = batch_->backend.stage(Staged{item_->root, item_->length, name_, temporary_});
    } catch (const std::bad_alloc&) {
        return fail(ENOMEM, MOVE);
    }
    temporary_[0] = 0;
    item_->slot = token;
    return complete(DONE, length);
}

inline Next Task::endWrite() {
    int error = batch_->header->mode == CREATE ? place(temporary_) : replace(temporary_);
    if (error == EEXIST) {
        int64_t stored = 0;
        Found found = look(stored);
        return found == Found::ABSENT ? remark(IN_JAVA, PUBLISH) : taken(found, stored, errno);
    }
    if (error != 0) {
        return failWrite(error, PUBLISH);
    }
    stored(DONE);
    release();
    return Next::ENDED;
}

// Publishes a temporary, named or not, unless something is there (EEXIST). 0 or an errno; a named one is spent when it is 0.
inline int Task::place(const char* temporary) {
    for (int attempt = 0; attempt < 2; attempt++) {
        if (parent_ >= 0) {
            int placed = temporary[0] == 0 ? root_->link(file, parent_, leaf_) : root_->move(temporary, parent_, leaf_);
            if (placed == 0) {
                temporary_[0] = 0;
                return 0;
            }
            if (errno != ENOENT) {
                return errno;
            }
        }
        int error = root_->makeParents(name_);
        if (error != 0) {
            return error;
        }
        if (!openParent(name_)) {
            return errno;
        }
    }
    return ENOENT;
}

// Publishes a temporary in place of what is there. 0 or an errno.
inline int Task::replace(const char* temporary) {
    if (temporary[0] == 0) {
        int error = place("");
        if (error != EEXIST) {
            return error;
        }
        root_->nextTemporary(temporary_);
        if (root_->link(file, root_->temporaries(), temporary_) != 0) {
            error = errno;
            temporary_[0] = 0;
            return error;
        }
        temporary = temporary_;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        if (parent_ >= 0) {
            if (::renameat(root_->temporaries(), temporary, parent_, leaf_) == 0) {
                temporary_[0] = 0;
                return 0;
            }
            if (errno != ENOENT) {
                return errno;
            }
        }
        int error = root_->makeParents(name_);
        if (error != 0) {
            return error;
        }
        if (!openParent(name_)) {
            return errno;
        }
    }
    return ENOENT;
}

inline void Task::stored(int32_t status) {
    if (batch_->durable() && write) {
        batch_->remark(index_, status == DONE ? SYNC_DONE : SYNC_PRESENT, 0, SYNC);
    } else {
        batch_->complete(index_, status, length);
    }
}

inline Next Task::publishStaged() {
    if (batch_->durable()) {
        return remark(IN_JAVA, PUBLISH);  // where directories are brought to stable storage
    }
    Staged spent;
    if (!batch_->backend.take(item_->slot, spent)) {
        return remark(INVALID, TOKEN);
    }
    root_ = batch_->backend.roots[static_cast<size_t>(spent.root)].get();
    length = spent.length;
    write = true;
    std::memcpy(name_, spent.name.c_str(), spent.name.size() + 1);
    bool create = batch_->header->mode == CREATE;
    if (create && (root_->publication() & (HARD_LINK | NO_REPLACE)) == 0) {
        batch_->backend.restore(item_->slot, std::move(spent));
        return remark(IN_JAVA, PUBLISH);
    }
    std::memcpy(temporary_, spent.temporary.c_str(), spent.temporary.size() + 1);
    int error = openParent(name_) || errno == ENOENT ? 0 : errno;
    if (error == 0) {
        error = create ? place(temporary_) : replace(temporary_);
    }
    if (error == EEXIST) {
        int64_t stored = 0;
        Found found = look(stored);
        if (found == Found::ABSENT || found == Found::EMPTY) {
            temporary_[0] = 0;
            batch_->backend.restore(item_->slot, std::move(spent));
            return remark(IN_JAVA, PUBLISH);
        }
        return taken(found, stored, errno);
    }
    if (error != 0) {
        return fail(error, PUBLISH);
    }
    stored(DONE);
    release();
    return Next::ENDED;
}

}  // namespace nixlkv
