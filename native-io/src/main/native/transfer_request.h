// What Java asks of a lane of NIXL or USRBIO: a header and items in one direct buffer, texts behind them. TransferRequest.java fills it.
#pragma once
#include <cstdint>

namespace nixlkv {
namespace request {

enum Publish { PUBLISH_NOT = 0, PUBLISH_NEW = 1, PUBLISH_REPLACE = 2 };

enum RequestFlags { REQUEST_WRITE = 1, REQUEST_SYNC = 2, REQUEST_SENTINEL = 4 };

enum ItemFlags { ITEM_DIRECT = 1 };

enum Result {
    PENDING = 0,
    DONE = 1,          // read; or written and published
    WRITTEN = 2,       // under the temporary name, to be published or staged
    ABSENT = 3,        // nothing, or a leftover of zero bytes
    OTHER_LENGTH = 4,  // `stored` says which
    NOT_PLAIN = 5,     // something that needs a closer look, such as a link; nothing was transferred
    EXPIRED = 6,       // the deadline passed before it began
    REFUSED = 7,       // the library failed on it also when it was alone
    NO_FILE = 8        // its file could not be opened; `error` is the errno
};

struct RequestHeader {
    int32_t items;
    int32_t flags;
    int32_t publish;
    int32_t mode;             // permissions of new files
    int64_t remaining_nanos;  // until the deadline
    int64_t requests;         // answer: transfer requests posted
    int64_t repeated;         // answer: items that were repeated one by one
    int64_t reopened;         // answer: how often the agent was made anew
    int64_t reserved[2];
};

struct RequestItem {
    uint64_t address;
    int64_t offset;
    int64_t length;
    int32_t path;    // where in the buffer: the file to read, the temporary to write, or an object's key; NUL-terminated
    int32_t target;  // where in the buffer: the name to publish under
    uint64_t device; // of a kept registration; 0 if the path is to be registered
    int32_t flags;
    int32_t result;
    int64_t stored;
    int32_t error;
    int32_t reserved;
};

static_assert(sizeof(RequestHeader) == 64, "TransferRequest.java knows these sizes");
static_assert(sizeof(RequestItem) == 64, "TransferRequest.java knows these sizes");

}  // namespace request
}  // namespace nixlkv
