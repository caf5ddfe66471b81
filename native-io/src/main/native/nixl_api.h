// NIXL's C interface, libnixl_capi.so, opened where it lies: a copy would lose its neighbours and its plugins. Nothing is linked.
#pragma once
#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace nixlkv {
namespace nixl {

using Handle = void*;

// Codes of the C interface, which are not those of the C++ one.
enum Code { SUCCESS = 0, IN_PROGRESS = 1, INVALID_PARAM = -1, BACKEND_FAILED = -2 };

// nixl_mem_t.
enum Memory { DRAM = 0, VRAM = 1, BLOCK = 2, OBJECT = 3, FILES = 4 };

#define NIXLKV_NIXL_FUNCTIONS(F)                                                                     \
    F(create_configured_agent, (const char*, const void*, Handle*))                                  \
    F(destroy_agent, (Handle))                                                                       \
    F(get_available_plugins, (Handle, Handle*))                                                      \
    F(string_list_size, (Handle, size_t*))                                                           \
    F(string_list_get, (Handle, size_t, const char**))                                               \
    F(destroy_string_list, (Handle))                                                                 \
    F(get_plugin_params, (Handle, const char*, Handle*, Handle*))                                    \
    F(mem_list_size, (Handle, size_t*))                                                              \
    F(mem_list_get, (Handle, size_t, int*))                                                          \
    F(destroy_mem_list, (Handle))                                                                    \
    F(create_params, (Handle*))                                                                      \
    F(params_add, (Handle, const char*, const char*))                                                \
    F(params_is_empty, (Handle, bool*))                                                              \
    F(params_create_iterator, (Handle, Handle*))                                                     \
    F(params_iterator_next, (Handle, const char**, const char**, bool*))                             \
    F(params_destroy_iterator, (Handle))                                                             \
    F(destroy_params, (Handle))                                                                      \
    F(create_backend, (Handle, const char*, Handle, Handle*))                                        \
    F(destroy_backend, (Handle))                                                                     \
    F(create_opt_args, (Handle*))                                                                    \
    F(opt_args_add_backend, (Handle, Handle))                                                        \
    F(destroy_opt_args, (Handle))                                                                    \
    F(create_reg_dlist, (int, Handle*))                                                              \
    F(reg_dlist_add_desc, (Handle, uintptr_t, size_t, uint64_t, const void*, size_t))                \
    F(destroy_reg_dlist, (Handle))                                                                   \
    F(create_xfer_dlist, (int, Handle*))                                                             \
    F(xfer_dlist_add_desc, (Handle, uintptr_t, size_t, uint64_t))                                    \
    F(destroy_xfer_dlist, (Handle))                                                                  \
    F(register_mem, (Handle, Handle, Handle))                                                        \
    F(deregister_mem, (Handle, Handle, Handle))                                                      \
    F(create_xfer_req, (Handle, int, Handle, Handle, const char*, Handle*, Handle))                  \
    F(post_xfer_req, (Handle, Handle, Handle))                                                       \
    F(get_xfer_status, (Handle, Handle))                                                             \
    F(release_xfer_req, (Handle, Handle))                                                            \
    F(destroy_xfer_req, (Handle))                                                                    \
    F(create_query_resp_list, (Handle*))                                                             \
    F(query_mem, (Handle, Handle, Handle, Handle))                                                   \
    F(query_resp_list_has_value, (Handle, size_t, bool*))                                            \
    F(destroy_query_resp_list, (Handle))

struct Api {
#define NIXLKV_MEMBER(name, parameters) int(*name) parameters = nullptr;
    NIXLKV_NIXL_FUNCTIONS(NIXLKV_MEMBER)
#undef NIXLKV_MEMBER

    // Opens the library for the life of the process: its plugins cannot be unmapped. The reason, empty if it is open.
    std::string open(const char* path) {
        void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            return ::dlerror();
        }
        using Stub = bool (*)();
        auto stub = reinterpret_cast<Stub>(::dlsym(library, "nixl_capi_is_stub"));
        if (stub != nullptr && stub()) {
            return std::string(path) + " is the stub of the Rust bindings, not NIXL";
        }
#define NIXLKV_RESOLVE(name, parameters)                                            \
    name = reinterpret_cast<decltype(name)>(::dlsym(library, "nixl_capi_" #name)); \
    if (name == nullptr) {                                                          \
        return std::string(path) + " has no function nixl_capi_" #name;             \
    }
        NIXLKV_NIXL_FUNCTIONS(NIXLKV_RESOLVE)
#undef NIXLKV_RESOLVE
        return "";
    }
};

}  // namespace nixl
}  // namespace nixlkv
