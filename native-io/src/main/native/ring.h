// An io_uring by raw system calls. One thread at a time.
#pragma once
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "descriptor.h"

#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif

namespace nixlkv {

class Ring {
  public:
    Ring() = default;
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;
    ~Ring() {
        if (entries_ != MAP_FAILED) {
            ::munmap(entries_, entriesBytes_);
        }
        if (rings_ != MAP_FAILED) {
            ::munmap(rings_, ringsBytes_);
        }
    }

    // 0 or an errno.
    int open(unsigned depth) {
        struct io_uring_params params;
        int file = -1;
        for (unsigned flags : {IORING_SETUP_CLAMP | IORING_SETUP_COOP_TASKRUN, 0U}) {
            std::memset(&params, 0, sizeof params);
            params.flags = flags;
            file = static_cast<int>(::syscall(SYS_io_uring_setup, depth, &params));
            if (file >= 0 || errno != EINVAL) {
                break;
            }
        }
        if (file < 0) {
            return errno;
        }
        file_.reset(file);
        ::fcntl(file, F_SETFD, FD_CLOEXEC);
        if ((params.features & IORING_FEAT_SINGLE_MMAP) == 0 || (params.features & IORING_FEAT_NODROP) == 0) {
            return ENOSYS;  // kernels before 5.5
        }
        ringsBytes_ = std::max(params.sq_off.array + params.sq_entries * sizeof(unsigned),
                               params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe));
        rings_ = ::mmap(nullptr, ringsBytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, IORING_OFF_SQ_RING);
        entriesBytes_ = params.sq_entries * sizeof(struct io_uring_sqe);
        entries_ = ::mmap(nullptr, entriesBytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, IORING_OFF_SQES);
        if (rings_ == MAP_FAILED || entries_ == MAP_FAILED) {
            return errno;
        }
        depth_ = params.sq_entries;
        submitTail_ = at<unsigned>(params.sq_off.tail);
        submitHead_ = at<unsigned>(params.sq_off.head);
        submitMask_ = *at<unsigned>(params.sq_off.ring_mask);
        submitArray_ = at<unsigned>(params.sq_off.array);
        completeHead_ = at<unsigned>(params.cq_off.head);
        completeTail_ = at<unsigned>(params.cq_off.tail);
        completeMask_ = *at<unsigned>(params.cq_off.ring_mask);
        completions_ = at<struct io_uring_cqe>(params.cq_off.cqes);
        return 0;
    }

    unsigned depth() const { return depth_; }

    // Makes the kernel pin buffers for READ_FIXED and WRITE_FIXED. 0 or an errno.
    int registerBuffers(const struct iovec* buffers, unsigned count) {
        return ::syscall(SYS_io_uring_register, file_.get(), IORING_REGISTER_BUFFERS, buffers, count) == 0 ? 0 : errno;
    }

    // The next free entry, cleared; nullptr when the ring is full.
    struct io_uring_sqe* next() {
        unsigned head = __atomic_load_n(submitHead_, __ATOMIC_ACQUIRE);
        if (tail_ - head >= depth_) {
            return nullptr;
        }
        unsigned index = tail_ & submitMask_;
        submitArray_[index] = index;
        tail_++;
        auto* entry = static_cast<struct io_uring_sqe*>(entries_) + index;
        std::memset(entry, 0, sizeof *entry);
        return entry;
    }

    // Gives the kernel all new entries and waits for `wait` completions. 0 or an errno.
    int enter(unsigned wait) {
        __atomic_store_n(submitTail_, tail_, __ATOMIC_RELEASE);
        while (true) {
            unsigned pending = tail_ - __atomic_load_n(submitHead_, __ATOMIC_ACQUIRE);
            if (pending == 0 && wait == 0) {
                return 0;
            }
            long taken = ::syscall(SYS_io_uring_enter, file_.get(), pending, wait,
                                   wait > 0 ? IORING_ENTER_GETEVENTS : 0, nullptr, 0);
            if (taken >= 0) {
                return 0;
            }
            if (errno != EINTR) {
                return errno;
            }
        }
    }

    // Entries that the kernel has not taken yet.
    unsigned pending() const { return tail_ - __atomic_load_n(submitHead_, __ATOMIC_ACQUIRE); }

    // Calls `each(user data, result)` for what is complete; how many there were.
    template <typename Each>
    unsigned drain(Each each) {
        unsigned head = *completeHead_;
        unsigned tail = __atomic_load_n(completeTail_, __ATOMIC_ACQUIRE);
        unsigned count = tail - head;
        for (; head != tail; head++) {
            const struct io_uring_cqe& entry = completions_[head & completeMask_];
            uint64_t data = entry.user_data;
            int result = entry.res;
            __atomic_store_n(completeHead_, head + 1, __ATOMIC_RELEASE);
            each(data, result);
        }
        return count;
    }

  private:
    template <typename T>
    T* at(unsigned offset) {
        return reinterpret_cast<T*>(static_cast<char*>(rings_) + offset);
    }

    Descriptor file_;
    void* rings_ = MAP_FAILED;
    void* entries_ = MAP_FAILED;
    size_t ringsBytes_ = 0;
    size_t entriesBytes_ = 0;
    unsigned depth_ = 0;
    unsigned tail_ = 0;
    unsigned submitMask_ = 0;
    unsigned completeMask_ = 0;
    unsigned* submitHead_ = nullptr;
    unsigned* submitTail_ = nullptr;
    unsigned* submitArray_ = nullptr;
    unsigned* completeHead_ = nullptr;
    unsigned* completeTail_ = nullptr;
    struct io_uring_cqe* completions_ = nullptr;
};

}  // namespace nixlkv
