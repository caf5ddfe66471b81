// Native NIXL through its C interface, used as LMCache's native connector uses it: the memory is registered once, every batch
// registers its files by path or its objects by key, is transferred as one request, and deregisters them, which closes files.
// All of that is timed. Files are written under their final names: NIXL itself does not publish.
//
//   nixl_peer QUEUE                        backend POSIX; use_aio, use_uring, use_posix_aio or default
//   nixl_peer BACKEND [NAME=VALUE …]       OBJ or AZURE_BLOB with parameters; then, both, the line protocol of peer.h
//
// Environment: NIXL_CAPI_LIBRARY path of libnixl_capi.so (needed); NIXL_PLUGIN_DIR (NIXL's own); NIXL_PEER_VERSION, what to
// report as the version; credentials as the backends read them.
#define _GNU_SOURCE
#include "peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef void *handle;

enum memory_kind { DRAM = 0, OBJECTS = 3, FILES = 4 };
enum status { DONE = 0, RUNNING = 1 };

#define NIXL_FUNCTIONS(F)                                                   \
    F(create_agent, (const char *, handle *))                               \
    F(create_params, (handle *))                                            \
    F(params_add, (handle, const char *, const char *))                     \
    F(create_backend, (handle, const char *, handle, handle *))             \
    F(create_opt_args, (handle *))                                          \
    F(opt_args_add_backend, (handle, handle))                               \
    F(create_reg_dlist, (int, handle *))                                    \
    F(reg_dlist_add_desc, (handle, uintptr_t, size_t, uint64_t, const void *, size_t)) \
    F(destroy_reg_dlist, (handle))                                          \
    F(create_xfer_dlist, (int, handle *))                                   \
    F(xfer_dlist_add_desc, (handle, uintptr_t, size_t, uint64_t))           \
    F(destroy_xfer_dlist, (handle))                                         \
    F(register_mem, (handle, handle, handle))                               \
    F(deregister_mem, (handle, handle, handle))                             \
    F(create_xfer_req, (handle, int, handle, handle, const char *, handle *, handle)) \
    F(post_xfer_req, (handle, handle, handle))                              \
    F(get_xfer_status, (handle, handle))                                    \
    F(release_xfer_req, (handle, handle))                                   \
    F(destroy_xfer_req, (handle))

static struct {
#define MEMBER(name, parameters) int(*name) parameters;
    NIXL_FUNCTIONS(MEMBER)
#undef MEMBER
} nixl;

static const char agent_name[] = "nixlkv-peer";
static handle agent, options, memory;
static enum memory_kind stored = FILES;
static uint64_t next_device = 1; // every file registration needs a number that is not in use

static bool ok(const char *what, int code) { return code == DONE || peer_fail("NIXL's %s answered %d", what, code); }

#define CALL(name, ...) ok(#name, nixl.name(__VA_ARGS__))

static bool load_library(void) {
    const char *path = getenv("NIXL_CAPI_LIBRARY");
    if (!path) return peer_fail("NIXL_CAPI_LIBRARY does not say where libnixl_capi.so is");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return peer_fail("%s", dlerror());
#define RESOLVE(name, parameters)                                                                     \
    *(void **)&nixl.name = dlsym(library, "nixl_capi_" #name);                                        \
    if (!nixl.name) return peer_fail("%s has no nixl_capi_%s", path, #name);
    NIXL_FUNCTIONS(RESOLVE)
#undef RESOLVE
    return true;
}

static bool start(const char *backend, int count, char **parameters) {
    handle all, made;
    if (!CALL(create_agent, agent_name, &agent) || !CALL(create_params, &all)) return false;
    for (int i = 0; i < count; i++) {
        char *value = strchr(parameters[i], '=');
        if (!value) return peer_fail("a parameter is written NAME=VALUE, not %s", parameters[i]);
        *value++ = 0;
        if (!CALL(params_add, all, parameters[i], value)) return false;
    }
    return CALL(create_backend, agent, backend, all, &made) && CALL(create_opt_args, &options)
           && CALL(opt_args_add_backend, options, made);
}

static bool prepare(const struct batch *batch) {
    return CALL(create_reg_dlist, DRAM, &memory)
           && CALL(reg_dlist_add_desc, memory, (uintptr_t)batch->memory, batch->objects * batch->bytes, 0, "", 0)
           && CALL(register_mem, agent, memory, options);
}

static void forget(const struct batch *batch) {
    (void)batch;
    nixl.deregister_mem(agent, memory, options);
    nixl.destroy_reg_dlist(memory);
}

static bool describe(const struct batch *batch, bool store, long round, handle files, handle local, handle remote) {
    char path[PATH_MAX], meta[PATH_MAX + 32];
    for (int i = 0; i < batch->objects; i++, next_device++) {
        if (!peer_path(batch, round, i, path)) return false;
        int length = stored == OBJECTS
                         ? snprintf(meta, sizeof meta, "%s", path)
                         : snprintf(meta, sizeof meta, "%s%s:%s", store ? "rw,create" : "ro", batch->direct ? ",direct" : "", path);
        uintptr_t address = (uintptr_t)batch->memory + i * batch->bytes;
        if (!CALL(reg_dlist_add_desc, files, 0, batch->bytes, next_device, meta, length)
            || !CALL(xfer_dlist_add_desc, local, address, batch->bytes, 0)
            || !CALL(xfer_dlist_add_desc, remote, 0, batch->bytes, next_device))
            return false;
    }
    return true;
}

static bool request(bool store, handle local, handle remote) {
    handle transfer;
    if (!CALL(create_xfer_req, agent, store, local, remote, agent_name, &transfer, options)) return false;
    int status = nixl.post_xfer_req(agent, transfer, options);
    while (status == RUNNING) status = nixl.get_xfer_status(agent, transfer);
    bool done = ok("transfer", status);
    nixl.release_xfer_req(agent, transfer);
    nixl.destroy_xfer_req(transfer);
    return done;
}

static bool transfer(const struct batch *batch, bool store, long round) {
    handle files, local, remote;
    if (!CALL(create_reg_dlist, stored, &files) || !CALL(create_xfer_dlist, DRAM, &local)
        || !CALL(create_xfer_dlist, stored, &remote))
        return false;
    bool done = describe(batch, store, round, files, local, remote);
    if (done && (done = CALL(register_mem, agent, files, options))) {
        done = request(store, local, remote);
        bool closed = CALL(deregister_mem, agent, files, options);
        done = done && closed;
    }
    nixl.destroy_reg_dlist(files);
    nixl.destroy_xfer_dlist(local);
    nixl.destroy_xfer_dlist(remote);
    return done;
}

int main(int argc, char **argv) {
    peer_open_protocol();
    struct rlimit files;
    if (!getrlimit(RLIMIT_NOFILE, &files)) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    const char *what = argc > 1 ? argv[1] : "";
    bool queue = !strcmp(what, "use_aio") || !strcmp(what, "use_uring") || !strcmp(what, "use_posix_aio");
    bool in_store = !strcmp(what, "OBJ") || !strcmp(what, "AZURE_BLOB");
    if (!in_store && (argc != 2 || (!queue && strcmp(what, "default")))) {
        peer_fail("usage: nixl_peer default|use_aio|use_uring|use_posix_aio, or OBJ|AZURE_BLOB [NAME=VALUE ...]");
        return peer_refuse();
    }
    char chosen[32];
    snprintf(chosen, sizeof chosen, "%s=true", what);
    char *parameters[] = {chosen};
    stored = in_store ? OBJECTS : FILES;
    int threads = 1;
    for (int i = 2; i < argc; i++) sscanf(argv[i], "num_threads=%d", &threads);
    bool started = load_library()
                   && (in_store ? start(what, argc - 2, argv + 2) : start("POSIX", queue ? 1 : 0, parameters));
    if (!started) return peer_refuse();
    const char *version = getenv("NIXL_PEER_VERSION");
    struct peer peer = {"nixl", version ? version : "unknown", threads, prepare, forget, transfer};
    return peer_serve(&peer);
}
