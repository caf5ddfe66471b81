// The clock of deadlines: monotonic nanoseconds.
#pragma once
#include <time.h>

#include <cstdint>

namespace nixlkv {

inline int64_t nowNanos() {
    struct timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

}  // namespace nixlkv
