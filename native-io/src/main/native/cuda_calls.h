// The functions of CUDA's driver that Java calls. Handles are addresses of objects here; texts are NUL-terminated UTF-8 in direct
// buffers. An int answers 0 or CUDA's code.
#pragma once
#include "cuda_device.h"
#include "nixlkv.h"

namespace nixlkv {
namespace cuda {
namespace calls {

// What Java reads of a pointer, a device's memory and an allocation: CudaDevice.java knows the size and the order.
struct Numbers {
    int64_t first;
    int64_t second;
    int64_t third;
    int64_t fourth;
};

static_assert(sizeof(Numbers) == 32, "CudaDevice.java knows this size");

inline int numbersSize() { return sizeof(Numbers); }

// The handle, or 0 with the loader's words in `into`.
inline long long libraryOpen(long long path, long long into, int capacity) {
    std::unique_ptr<Api> api(new Api);
    std::string problem = api->open(of<char>(path));
    std::snprintf(of<char>(into), static_cast<size_t>(capacity), "%s", problem.c_str());
    return problem.empty() ? handleOf(api.release()) : 0;
}

inline int init(long long library) { return of<Api>(library)->init(0); }

// The driver's name of a code.
inline void errorName(long long library, int code, long long into, int capacity) {
    const char* name = nullptr;
    bool known = of<Api>(library)->errorName(code, &name) == SUCCESS && name != nullptr;
    std::snprintf(of<char>(into), static_cast<size_t>(capacity), "%s", known ? name : "unknown error");
}

// Into `numbers` the number of GPUs.
inline int deviceCount(long long library, long long numbers) {
    int count = 0;
    int code = of<Api>(library)->deviceCount(&count);
    of<Numbers>(numbers)->first = count;
    return code;
}

// Into `numbers` the handle.
inline int deviceOpen(long long library, int number, long long numbers) {
    std::unique_ptr<Device> device(new Device(*of<Api>(library), number));
    int code = device->open();
    if (code == SUCCESS) {
        of<Numbers>(numbers)->first = handleOf(device.release());
    }
    return code;
}

inline void deviceClose(long long device) { delete of<Device>(device); }

// Into `numbers` the address.
inline int allocate(long long device, long long bytes, long long numbers) {
    Address address = 0;
    int code = of<Device>(device)->allocate(static_cast<size_t>(bytes), address);
    of<Numbers>(numbers)->first = static_cast<int64_t>(address);
    return code;
}

inline int release(long long device, long long address) {
    return of<Device>(device)->free(static_cast<Address>(address));
}

// Into `numbers` free and total bytes.
inline int information(long long device, long long numbers) {
    size_t free = 0;
    size_t total = 0;
    int code = of<Device>(device)->information(free, total);
    of<Numbers>(numbers)->first = static_cast<int64_t>(free);
    of<Numbers>(numbers)->second = static_cast<int64_t>(total);
    return code;
}

// Into `numbers` kind of memory, number of the GPU, address and bytes of the allocation.
inline int describe(long long device, long long address, long long numbers) {
    int type = 0;
    int ordinal = -1;
    Address base = 0;
    size_t bytes = 0;
    int code = of<Device>(device)->describe(static_cast<Address>(address), type, ordinal, base, bytes);
    *of<Numbers>(numbers) = {type, ordinal, static_cast<int64_t>(base), static_cast<int64_t>(bytes)};
    return code;
}

inline int copyIn(long long device, long long to, long long from, long long bytes) {
    return of<Device>(device)->copyIn(static_cast<Address>(to), of<void>(from), static_cast<size_t>(bytes));
}

inline int copyOut(long long device, long long to, long long from, long long bytes) {
    return of<Device>(device)->copyOut(of<void>(to), static_cast<Address>(from), static_cast<size_t>(bytes));
}

inline int copyWithin(long long device, long long to, long long from, long long bytes) {
    return of<Device>(device)->copyWithin(static_cast<Address>(to), static_cast<Address>(from),
                                          static_cast<size_t>(bytes));
}

inline int clear(long long device, long long address, long long bytes) {
    return of<Device>(device)->clear(static_cast<Address>(address), static_cast<size_t>(bytes));
}

}  // namespace calls
}  // namespace cuda
}  // namespace nixlkv
