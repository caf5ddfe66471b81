// File descriptors that close themselves, and opening beneath a directory.
#pragma once
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace nixlkv {

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            reset(other.number_);
            other.number_ = -1;
        }
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(-1); }

    int get() const { return number_; }
    bool open() const { return number_ >= 0; }
    void reset(int number) {
        if (number_ >= 0) {
            ::close(number_);
        }
        number_ = number;
    }

  private:
    int number_ = -1;
};

// Opens `path` beneath `directory`: no part of it, symbolic links included, may lead outside. Kernels before 5.6 and sandboxes
// without openat2 get openat; names were checked for "..".
inline int openBeneath(int directory, const char* path, int flags, mode_t mode) {
    static std::atomic<bool> known{true};
    if (known.load(std::memory_order_relaxed)) {
        struct open_how how;
        std::memset(&how, 0, sizeof how);
        how.flags = static_cast<uint64_t>(flags);
        how.mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? mode : 0;
        how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
        for (int attempt = 0; attempt < 16; attempt++) {
            long opened = ::syscall(SYS_openat2, directory, path, &how, sizeof how);
            if (opened >= 0) {
                return static_cast<int>(opened);
            }
            if (errno == ENOSYS || errno == EPERM) {
                // a real refusal repeats; anything else says that the call itself is forbidden here
                bool absent = errno == ENOSYS;
                int plain = ::openat(directory, path, flags, mode);
                if (absent || plain >= 0 || errno != EPERM) {
                    known.store(false, std::memory_order_relaxed);
                }
                return plain;
            }
            if (errno != EAGAIN && errno != EINTR) {
                return -1;
            }
        }
    }
    return ::openat(directory, path, flags, mode);
}

}  // namespace nixlkv
