// How items end: the status codes of io.nixlkv.spi.Status, and what an errno means.
#pragma once
#include <cerrno>
#include <cstdint>

namespace nixlkv {

enum Status : int32_t {
    DONE = 1,
    ALREADY_PRESENT = 2,
    MISSING = 3,
    WRONG_SIZE = 4,
    NO_SPACE = 5,
    DENIED = 6,
    INVALID = 7,
    UNSUPPORTED = 8,
    UNAVAILABLE = 10,
    FAILED = 11,
    TIMED_OUT = 12
};

// Kinds of remarks that are not a failure: what Java still has to do for an item.
enum Handover : int32_t {
    IN_JAVA = 0,          // rare case: the pure Java lane carries the item out
    SYNC_DONE = -1,       // written; DONE once its directory or pool is on stable storage
    SYNC_PRESENT = -2     // found; ALREADY_PRESENT once its directory is on stable storage
};

// Where an item failed.
enum Step : int32_t {
    NAME = 1,
    LENGTH = 2,
    SLICE = 3,
    ROOT = 4,
    POOL = 5,
    SLOT = 6,
    TOKEN = 7,
    LOOK = 8,
    OPEN = 9,
    MOVE = 10,
    SYNC = 11,
    PUBLISH = 12,
    REMOVE = 13,
    FOREIGN = 14,
    CUT_SHORT = 15,
    BEFORE = 16,
    DURING = 17,
    CLOSED = 18
};

inline int32_t statusOf(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return NO_SPACE;
        case EACCES:
        case EPERM:
        case EROFS:
        case EXDEV:
            return DENIED;
        case ENAMETOOLONG:
        case EINVAL:
            return INVALID;
        case EMFILE:
        case ENFILE:
            return UNAVAILABLE;
        case ENOENT:
            return MISSING;
        default:
            return FAILED;
    }
}

}  // namespace nixlkv
