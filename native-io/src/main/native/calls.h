// The functions that Java calls. Handles are addresses of objects here; a negative answer is a negative errno.
#pragma once
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <new>

#include "lane_aio.h"
#include "lane_posix_aio.h"
#include "lane_threads.h"
#include "lane_uring.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14; older kernels answer EINVAL
#endif

namespace nixlkv {

template <typename T>
T* of(long long handle) {
    return reinterpret_cast<T*>(handle);
}

template <typename T>
long long handleOf(T* object) {
    return reinterpret_cast<long long>(object);
}

inline const std::shared_ptr<Backend>& backendOf(long long handle) { return *of<std::shared_ptr<Backend>>(handle); }

namespace calls {

inline int packedAbi() { return PACKED_ABI; }

// What errno means, in the C library's words, NUL-terminated.
inline void errorText(int error, long long into, int capacity) {
    char text[256];
    const char* words = ::strerror_r(error, text, sizeof text);
    std::snprintf(of<char>(into), static_cast<size_t>(capacity), "%s", words);
}

// 0 if the engine works in this process, else an errno.
inline int engineProblem(int kind) {
    if (kind == URING) {
        Ring ring;
        return ring.open(4);
    }
    if (kind == AIO) {
        aio_context_t context = 0;
        if (::syscall(SYS_io_setup, 1, &context) != 0) {
            return errno;
        }
        ::syscall(SYS_io_destroy, context);
    }
    return 0;
}

// The soft limit of open files (0) or locked memory in bytes (1); -1 for none.
inline long long limitOf(int which) {
    struct rlimit limit;
    if (::getrlimit(which == 0 ? RLIMIT_NOFILE : RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return -1;
    }
    return static_cast<long long>(limit.rlim_cur);
}

// Memory: `pages` 0 ordinary, 1 explicit 2 MiB pages. The address or a negative errno.
inline long long mapMemory(long long bytes, int pages) {
    constexpr long long HUGE = 2 << 20;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    if (pages == 1) {
        void* at = ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                          flags | MAP_HUGETLB | (21 << MAP_HUGE_SHIFT), -1, 0);
        if (at == MAP_FAILED) {
            return -errno;
        }
        // a control group's limit shows only when a page is used, and then it would end the process
        if (::madvise(at, static_cast<size_t>(bytes), MADV_POPULATE_WRITE) != 0 && errno != EINVAL) {
            ::munmap(at, static_cast<size_t>(bytes));
            return -ENOMEM;
        }
        return handleOf(at);
    }
    // over-allocated and trimmed, so that transparent huge pages can back it from its first byte
    long long whole = bytes + HUGE;
    char* at = static_cast<char*>(::mmap(nullptr, static_cast<size_t>(whole), PROT_READ | PROT_WRITE, flags, -1, 0));
    if (at == MAP_FAILED) {
        return -errno;
    }
    char* aligned = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(at) + HUGE - 1) & ~static_cast<uintptr_t>(HUGE - 1));
    if (aligned > at) {
        ::munmap(at, static_cast<size_t>(aligned - at));
    }
    char* end = aligned + bytes;
    if (at + whole > end) {
        ::munmap(end, static_cast<size_t>(at + whole - end));
    }
    ::madvise(aligned, static_cast<size_t>(bytes), MADV_HUGEPAGE);
    return handleOf(aligned);
}

inline int unmapMemory(long long address, long long bytes) {
    return ::munmap(of<void>(address), static_cast<size_t>(bytes)) == 0 ? 0 : -errno;
}

inline long long backendOpen(int kind, int submitters, int queueDepth) {
    if (kind < THREADS || kind > POSIX_AIO || submitters < 1 || queueDepth < 1) {
        return -EINVAL;
    }
    return handleOf(new std::shared_ptr<Backend>(
        std::make_shared<Backend>(static_cast<EngineKind>(kind), submitters, queueDepth)));
}

inline int segmentAdd(long long backend, long long address, long long bytes) {
    if (address == 0 || bytes < 1) {
        return -EINVAL;
    }
    backendOf(backend)->segments.push_back(Segment{of<char>(address), bytes});
    return 0;
}

// Paths are NUL-terminated. The ways of publication that work there, or a negative errno.
inline int rootAdd(long long backend, long long path, long long temporaries, int fileMode, int directoryMode, int block) {
    std::unique_ptr<Root> root(new (std::nothrow) Root(
        of<char>(path), of<char>(temporaries), static_cast<mode_t>(fileMode), static_cast<mode_t>(directoryMode), block));
    if (!root) {
        return -ENOMEM;
    }
    int error = root->open();
    if (error != 0) {
        return -error;
    }
    int publication = root->publication();
    backendOf(backend)->roots.push_back(std::move(root));
    return publication;
}

// The pool under construction; poolFile is called for every root, or for every slot of every root, then poolReady.
inline long long poolNew(int count, int slotBytes) {
    auto* pool = new (std::nothrow) Pool{count, slotBytes, {}, false};
    return pool == nullptr ? -ENOMEM : handleOf(pool);
}

// An empty path stands for a slot that was lost.
inline int poolFile(long long pool, long long path, int block) {
    PoolFile files;
    files.block = block;
    if (*of<char>(path) == 0) {
        of<Pool>(pool)->files.push_back(std::move(files));
        return 0;
    }
    files.buffered.reset(::open(of<char>(path), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!files.buffered.open()) {
        return -errno;
    }
    if (block > 0) {
        files.direct.reset(::open(of<char>(path), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_DIRECT));
        if (!files.direct.open() && errno != EINVAL) {
            return -errno;
        }
    }
    of<Pool>(pool)->files.push_back(std::move(files));
    return 0;
}

inline void poolDrop(long long pool) { delete of<Pool>(pool); }

// The number that stands in a packed batch; from now on the backend owns the pool.
inline long long poolReady(long long backend, long long pool) {
    auto* made = of<Pool>(pool);
    size_t roots = backendOf(backend)->roots.size();
    made->separate = made->files.size() != roots;
    if (made->separate && made->files.size() != roots * static_cast<size_t>(made->count)) {
        return -EINVAL;
    }
    return backendOf(backend)->addPool(std::shared_ptr<Pool>(of<Pool>(pool)));
}

inline void poolClose(long long backend, long long handle) { backendOf(backend)->closePool(handle); }

// Spends a token that only Java can publish. Into `into`: int root, int length, int bytes of the name, int bytes of the
// temporary's name, then both. 0, -ENOENT without such a token, -ENOBUFS if it does not fit.
inline int stagedTake(long long backend, long long token, long long into, int capacity) {
    Staged staged;
    if (!backendOf(backend)->take(token, staged)) {
        return -ENOENT;
    }
    int32_t head[4] = {staged.root, staged.length, static_cast<int32_t>(staged.name.size()),
                       static_cast<int32_t>(staged.temporary.size())};
    if (static_cast<int32_t>(sizeof head) + head[2] + head[3] > capacity) {
        backendOf(backend)->restore(token, std::move(staged));
        return -ENOBUFS;
    }
    char* at = of<char>(into);
    std::memcpy(at, head, sizeof head);
    std::memcpy(at + sizeof head, staged.name.data(), staged.name.size());
    std::memcpy(at + sizeof head + staged.name.size(), staged.temporary.data(), staged.temporary.size());
    return 0;
}

// Nothing starts from now on; running batches refuse what they have not begun.
inline void backendStop(long long backend) { backendOf(backend)->stop(); }

// Lanes that are still open live on, stopped.
inline void backendClose(long long backend) {
    backendOf(backend)->stop();
    backendOf(backend)->discardAll();
    delete of<std::shared_ptr<Backend>>(backend);
}

inline long long laneOpen(long long handle) {
    const std::shared_ptr<Backend>& backend = backendOf(handle);
    int error = 0;
    std::unique_ptr<Lane> lane;
    switch (backend->kind()) {
        case URING: {
            std::unique_ptr<UringLane> ring(new UringLane(backend, backend->queueDepth()));
            error = ring->open();
            lane = std::move(ring);
            break;
        }
        case AIO: {
            std::unique_ptr<AioLane> queue(new AioLane(backend, backend->queueDepth()));
            error = queue->open();
            lane = std::move(queue);
            break;
        }
        case POSIX_AIO:
            lane.reset(new PosixAioLane(backend, backend->queueDepth()));
            break;
        default:
            lane.reset(new ThreadsLane(backend));
    }
    return error != 0 ? -error : handleOf(lane.release());
}

// Why a ring did not register the arena: an errno, 0 if it did, -1 if it had no reason to.
inline int laneRegistration(long long lane) {
    auto* ring = dynamic_cast<UringLane*>(of<Lane>(lane));
    return ring == nullptr ? -1 : ring->registration();
}

inline void laneClose(long long lane) { delete of<Lane>(lane); }

// Carries out a packed batch. `remarks` has room for 16 bytes per item, `counters` is 32 bytes, set to this call's numbers.
// The number of remarks; -EINVAL if the request is not of this ABI or not whole.
inline int execute(long long lane, long long packed, long long bytes, long long remainingNanos, long long remarks,
                   int remarkCapacity, long long counters) {
    auto* header = of<PackedHeader>(packed);
    if (!wellFormed(header, bytes) || header->items > remarkCapacity) {
        return -EINVAL;
    }
    Lane* runner = of<Lane>(lane);
    auto* numbers = new (of<void>(counters)) Counters{{0}, {0}, {0}, {0}};
    int64_t remaining = std::min<int64_t>(remainingNanos, INT64_MAX / 4);
    Batch batch(runner->backend, header, nowNanos() + remaining, of<Remark>(remarks), numbers);
    runner->run(batch);
    return batch.remarks();
}

}  // namespace calls
}  // namespace nixlkv
