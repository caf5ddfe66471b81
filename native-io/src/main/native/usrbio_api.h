// 3FS's user-space ring, libhf3fs_api_shared.so, opened by dlopen. The structures are those of 3FS's hf3fs_usrbio.h.
#pragma once
#include <dlfcn.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace nixlkv {
namespace usrbio {

struct Iov {
    uint8_t* base;
    void* handle;
    char id[16];
    char mount_point[256];
    size_t size;
    size_t block_size;
    int numa;
};

struct Ior {
    Iov iov;
    void* handle;
    char mount_point[256];
    bool for_read;
    int io_depth;
    int priority;
    int timeout;
    uint64_t flags;
};

struct Cqe {
    int32_t index;
    int32_t reserved;
    int64_t result;
    const void* userdata;
};

#define NIXLKV_USRBIO_FUNCTIONS(F)                                                                              \
    F(int, extract_mount_point, (char*, int, const char*))                                                      \
    F(int, reg_fd, (int, uint64_t))                                                                             \
    F(void, dereg_fd, (int))                                                                                    \
    F(int, iovcreate, (Iov*, const char*, size_t, size_t, int))                                                 \
    F(void, iovdestroy, (Iov*))                                                                                 \
    F(int, iorcreate, (Ior*, const char*, int, bool, int, int))                                                 \
    F(void, iordestroy, (Ior*))                                                                                 \
    F(int, prep_io, (const Ior*, const Iov*, bool, void*, int, size_t, uint64_t, const void*))                  \
    F(int, submit_ios, (const Ior*))                                                                            \
    F(int, wait_for_ios, (const Ior*, Cqe*, int, int, const struct timespec*))

struct Api {
#define NIXLKV_MEMBER(type, name, parameters) type(*name) parameters = nullptr;
    NIXLKV_USRBIO_FUNCTIONS(NIXLKV_MEMBER)
#undef NIXLKV_MEMBER

    // Takes the name of a buffer's shared memory away; null in libraries that lack it.
    void (*iovunlink)(Iov*) = nullptr;

    // Opens the library for the life of the process. The reason, empty if it is open.
    std::string open(const char* path) {
        void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            return ::dlerror();
        }
#define NIXLKV_RESOLVE(type, name, parameters)                                       \
    name = reinterpret_cast<decltype(name)>(::dlsym(library, "hf3fs_" #name)); \
    if (name == nullptr) {                                                           \
        return std::string(path) + " has no function hf3fs_" #name;                  \
    }
        NIXLKV_USRBIO_FUNCTIONS(NIXLKV_RESOLVE)
#undef NIXLKV_RESOLVE
        iovunlink = reinterpret_cast<decltype(iovunlink)>(::dlsym(library, "hf3fs_iovunlink"));
        return "";
    }
};

}  // namespace usrbio
}  // namespace nixlkv
