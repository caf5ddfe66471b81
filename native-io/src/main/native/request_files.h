// Files of a transfer request: the time that is left, what stands under a name, and publication.
#pragma once
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "clock.h"
#include "transfer_request.h"

namespace nixlkv {
namespace request {

struct Work {
    char* buffer;
    RequestHeader& header;
    RequestItem* items;
    int64_t deadline;

    explicit Work(char* buffer)
        : buffer(buffer),
          header(*reinterpret_cast<RequestHeader*>(buffer)),
          items(reinterpret_cast<RequestItem*>(buffer + sizeof(RequestHeader))),
          deadline(nowNanos() + std::min<int64_t>(header.remaining_nanos, INT64_MAX / 4)) {}

    RequestItem* begin() { return items; }
    RequestItem* end() { return items + header.items; }
    bool writes() const { return (header.flags & REQUEST_WRITE) != 0; }
    bool sentinel() const { return (header.flags & REQUEST_SENTINEL) != 0 && !writes(); }
    bool expired() const { return nowNanos() >= deadline; }
    size_t index(const RequestItem& item) const { return static_cast<size_t>(&item - items); }
    const char* path(const RequestItem& item) const { return buffer + item.path; }
    const char* target(const RequestItem& item) const { return buffer + item.target; }
};

// What tells an object from its successor under the same name.
struct Identity {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;

    bool operator==(const Identity& other) const {
        return device == other.device && inode == other.inode && size == other.size
               && changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
    }
};

// Looks for a plain file; false with errno, 0 if something else is there.
inline bool look(const char* path, Identity& identity) {
    struct stat status;
    if (::lstat(path, &status) != 0) {
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        errno = 0;
        return false;
    }
    identity = {status.st_dev, status.st_ino, status.st_size, status.st_ctim};
    return true;
}

inline void end(RequestItem& item, Result result, int error = 0) {
    item.result = result;
    item.error = error;
}

inline void publish(const Work& work, RequestItem& item) {
    bool done = false;
    if (work.header.publish == PUBLISH_NEW) {
        done = ::syscall(SYS_renameat2, AT_FDCWD, work.path(item), AT_FDCWD, work.target(item), RENAME_NOREPLACE) == 0;
    } else if (work.header.publish == PUBLISH_REPLACE) {
        done = ::rename(work.path(item), work.target(item)) == 0;
    }
    end(item, done ? DONE : WRITTEN);
}

}  // namespace request
}  // namespace nixlkv
