// The functions of 3FS's USRBIO that Java calls. Handles are addresses of objects here; texts are NUL-terminated UTF-8.
#pragma once
#include "nixlkv.h"
#include "usrbio_lane.h"

namespace nixlkv {
namespace usrbio {
namespace calls {

// The handle, or 0 with the reason in `into`.
inline long long libraryOpen(long long path, long long into, int capacity) {
    std::unique_ptr<Api> api(new Api);
    std::string problem = api->open(of<char>(path));
    std::snprintf(of<char>(into), static_cast<size_t>(capacity), "%s", problem.c_str());
    return problem.empty() ? handleOf(api.release()) : 0;
}

// The mount point that `path` is under, into `into`; false if the library says that it is not on 3FS.
inline bool mountOf(long long library, long long path, long long into, int capacity) {
    int length = of<Api>(library)->extract_mount_point(of<char>(into), capacity, of<char>(path));
    return length > 0 && length <= capacity;
}

inline long long laneNew(long long library, long long mount, int entries) {
    return handleOf(new Lane(*of<Api>(library), of<char>(mount), entries));
}

// 0, or an errno with the call that gave it in `into`.
inline int laneOpen(long long lane, long long into, int capacity) {
    int error = of<Lane>(lane)->open();
    std::snprintf(of<char>(into), static_cast<size_t>(capacity), "%s", error == 0 ? "" : of<Lane>(lane)->failedCall());
    return error;
}

inline void laneClose(long long lane) { delete of<Lane>(lane); }

inline long long laneKeep(long long lane, long long path) { return of<Lane>(lane)->keep(of<char>(path)); }

inline void laneDrop(long long lane, long long number) { of<Lane>(lane)->drop(static_cast<uint64_t>(number)); }

inline void files(long long lane, long long request) { of<Lane>(lane)->files(of<char>(request)); }

}  // namespace calls
}  // namespace usrbio
}  // namespace nixlkv
