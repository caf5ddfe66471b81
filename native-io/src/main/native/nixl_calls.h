// The functions of NIXL that Java calls. Handles are addresses of objects here; texts are NUL-terminated UTF-8 in direct buffers.
#pragma once
#include "nixlkv.h"
#include "nixl_lane.h"

namespace nixlkv {
namespace nixl {
namespace calls {

inline void answer(long long into, int capacity, const std::string& text) {
    std::snprintf(of<char>(into), static_cast<size_t>(capacity), "%s", text.c_str());
}

// Opens any library and keeps it. Into `into` the loader's words, empty if it is open.
inline void dynamicLibrary(long long path, long long into, int capacity) {
    void* library = ::dlopen(of<char>(path), RTLD_LAZY | RTLD_LOCAL);
    answer(into, capacity, library == nullptr ? ::dlerror() : "");
}

// Sets a variable of the process unless it is set: NIXL reads its variables once, with the first agent.
inline void environment(long long name, long long value) { ::setenv(of<char>(name), of<char>(value), 0); }

// The handle, or 0 with the reason in `into`.
inline long long libraryOpen(long long path, long long into, int capacity) {
    std::unique_ptr<Api> api(new Api);
    std::string problem = api->open(of<char>(path));
    answer(into, capacity, problem);
    return problem.empty() ? handleOf(api.release()) : 0;
}

// A lane that is not open yet. `parameters`: key, value, key, value, …, each NUL-terminated, then an empty one.
inline long long laneNew(long long library, long long name, long long plugin, long long parameters, int storage,
                         bool progressThread, long long slots, long long pieceBytes) {
    Settings settings = {of<char>(name), of<char>(plugin), {}, static_cast<Memory>(storage), progressThread};
    for (const char* at = of<char>(parameters); *at != 0;) {
        std::string key = at;
        at += key.size() + 1;
        std::string value = at;
        at += value.size() + 1;
        settings.parameters.emplace_back(std::move(key), std::move(value));
    }
    std::unique_ptr<Agent> agent(new Agent(*of<Api>(library), std::move(settings)));
    return handleOf(new Lane(std::move(agent), static_cast<size_t>(slots), static_cast<size_t>(pieceBytes)));
}

// What laneMemory adds is memory of this GPU. 0 or CUDA's code.
inline int laneOnDevice(long long lane, long long cudaLibrary, int number) {
    std::unique_ptr<cuda::Device> device(new cuda::Device(*of<cuda::Api>(cudaLibrary), number));
    int code = device->open();
    if (code == cuda::SUCCESS) {
        of<Lane>(lane)->onDevice(std::move(device), number);
    }
    return code;
}

inline void laneMemory(long long lane, long long address, long long bytes) {
    of<Lane>(lane)->agent().addMemory(static_cast<uintptr_t>(address), static_cast<size_t>(bytes));
}

// 0, or NIXL's code with the call that gave it in `into`.
inline int laneOpen(long long lane, long long into, int capacity) {
    int code = of<Lane>(lane)->open();
    answer(into, capacity, code == SUCCESS ? "" : of<Lane>(lane)->agent().failedCall());
    return code;
}

inline void laneClose(long long lane) { delete of<Lane>(lane); }

// Registers a file until it is dropped. Its device, or NIXL's negative code.
inline long long laneKeep(long long lane, long long meta) {
    Agent& agent = of<Lane>(lane)->agent();
    uint64_t device = agent.nextDevice();
    int code = agent.isOpen() ? agent.keep({device, of<char>(meta)}) : static_cast<int>(BACKEND_FAILED);
    return code == SUCCESS ? static_cast<long long>(device) : code;
}

inline void laneDrop(long long lane, long long device) {
    of<Lane>(lane)->agent().drop(static_cast<uint64_t>(device));
}

inline void files(long long lane, long long request) { of<Lane>(lane)->files(of<char>(request)); }

inline void objects(long long lane, long long request) { of<Lane>(lane)->objects(of<char>(request)); }

// `keys`: each NUL-terminated, then an empty one. Into `into` a character for each: 1 present, 0 absent, ? unknown.
inline void query(long long lane, long long keys, long long into, int capacity) {
    std::vector<std::string> all;
    for (const char* at = of<char>(keys); *at != 0; at += all.back().size() + 1) {
        all.emplace_back(at);
    }
    Agent& agent = of<Lane>(lane)->agent();
    answer(into, capacity, agent.isOpen() ? agent.query(all) : std::string(all.size(), '?'));
}

inline void plugins(long long lane, long long into, int capacity) {
    answer(into, capacity, of<Lane>(lane)->agent().plugins());
}

inline void describe(long long lane, long long plugin, long long into, int capacity) {
    answer(into, capacity, of<Lane>(lane)->agent().describe(of<char>(plugin)));
}

}  // namespace calls
}  // namespace nixl
}  // namespace nixlkv
