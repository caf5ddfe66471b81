// CUDA's driver interface, libcuda.so.1, opened by dlopen: a machine without a GPU has no such library. Nothing is linked.
#pragma once
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace nixlkv {
namespace cuda {

// CUdeviceptr: an address that only the device and the driver may follow.
using Address = unsigned long long;
using Context = void*;

// CUresult; the rest has names that the driver tells.
enum Code { SUCCESS = 0 };

// CUpointer_attribute and CUmemorytype.
enum PointerAttribute { MEMORY_TYPE = 2, DEVICE_ORDINAL = 9 };
enum MemoryType { DEVICE_MEMORY = 2 };

#define NIXLKV_CUDA_FUNCTIONS(F)                                     \
    F(init, cuInit, (unsigned))                                      \
    F(errorName, cuGetErrorName, (int, const char**))                \
    F(deviceCount, cuDeviceGetCount, (int*))                         \
    F(device, cuDeviceGet, (int*, int))                              \
    F(retain, cuDevicePrimaryCtxRetain, (Context*, int))             \
    F(release, cuDevicePrimaryCtxRelease_v2, (int))                  \
    F(push, cuCtxPushCurrent_v2, (Context))                          \
    F(pop, cuCtxPopCurrent_v2, (Context*))                           \
    F(allocate, cuMemAlloc_v2, (Address*, size_t))                   \
    F(free, cuMemFree_v2, (Address))                                 \
    F(information, cuMemGetInfo_v2, (size_t*, size_t*))              \
    F(toDevice, cuMemcpyHtoD_v2, (Address, const void*, size_t))     \
    F(toHost, cuMemcpyDtoH_v2, (void*, Address, size_t))             \
    F(within, cuMemcpyDtoD_v2, (Address, Address, size_t))           \
    F(set, cuMemsetD8_v2, (Address, unsigned char, size_t))          \
    F(synchronize, cuStreamSynchronize, (void*))                     \
    F(attribute, cuPointerGetAttribute, (void*, int, Address))       \
    F(range, cuMemGetAddressRange_v2, (Address*, size_t*, Address))

struct Api {
#define NIXLKV_MEMBER(name, symbol, parameters) int(*name) parameters = nullptr;
    NIXLKV_CUDA_FUNCTIONS(NIXLKV_MEMBER)
#undef NIXLKV_MEMBER

    // Opens the library for the life of the process. The reason, empty if it is open.
    std::string open(const char* path) {
        void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            return ::dlerror();
        }
#define NIXLKV_RESOLVE(name, symbol, parameters)                          \
    name = reinterpret_cast<decltype(name)>(::dlsym(library, #symbol)); \
    if (name == nullptr) {                                                \
        return std::string(path) + " has no function " #symbol;           \
    }
        NIXLKV_CUDA_FUNCTIONS(NIXLKV_RESOLVE)
#undef NIXLKV_RESOLVE
        return "";
    }
};

}  // namespace cuda
}  // namespace nixlkv
