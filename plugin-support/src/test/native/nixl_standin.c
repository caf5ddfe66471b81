// A stand-in for libnixl_capi.so where the hardware behind NIXL's plugins is absent: the part of the C interface that nixlkv uses,
// over ordinary files. Memory of a GPU it reaches by the stand-in for CUDA's driver that lies beside it. It behaves as NIXL's plugins are documented to behave, with their hazards, and aborts on misuse that would
// corrupt memory in the real library. Tests build it with gcc.
//
// A file "hazards" beside the library has lines "WORD PLUGIN": hang (creating the backend never returns), crash, refuse (creating
// fails), reject (registering a file fails, as cuFile does with error 5030), short (reads of more than a page stop in the middle and count as success).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OK = 0, IN_PROG = 1, INVALID = -1, BACKEND = -2, STATE = -3, NOT_FOUND = -6 };
enum { DRAM = 0, VRAM = 1, OBJ = 3, FILES = 4 };

struct param { char *key, *value; };
struct params { struct param at[64]; size_t count; };
struct iterator { struct params *params; size_t next; };
struct desc { uintptr_t addr; size_t len; uint64_t dev; char *meta; int fd; bool owned; };
struct list { int type; struct desc *at; size_t count, room; };
struct backend { char plugin[32]; struct params params; };
struct agent { char name[256]; struct backend *backend; struct list memory, storage; int requests; };
struct opts { struct backend *backend; };
struct request { bool write; struct list local, remote; size_t next; int status; bool posted; char *copied; };
struct answers { bool *present; size_t count; };
struct names { const char *at[8]; size_t count; };

struct plugin { const char *name; int memories[3]; size_t count; };
static const struct plugin plugins[] = {
    {"GDS", {DRAM, VRAM, FILES}, 3}, {"GDS_MT", {DRAM, VRAM, FILES}, 3}, {"HF3FS", {DRAM, FILES}, 2}, {"DOCA_MEMOS", {OBJ, DRAM}, 2}, {"OBJ", {OBJ, DRAM, VRAM}, 3}};

static void misuse(const char *what) {
    fprintf(stderr, "nixl stand-in: %s\n", what);
    abort();
}

// A file beside this library.
static bool beside(const char *name, char *path, size_t size) {
    Dl_info info;
    if (!dladdr((void *)beside, &info)) return false;
    snprintf(path, size, "%s", info.dli_fname);
    *(strrchr(path, '/') + 1) = 0;
    strncat(path, name, size - strlen(path) - 1);
    return true;
}

static bool hazard(const char *word, const char *plugin) {
    char path[4096], wanted[128], line[128];
    if (!beside("hazards", path, sizeof path)) return false;
    snprintf(wanted, sizeof wanted, "%s %s\n", word, plugin);
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && fgets(line, sizeof line, file)) found |= !strcmp(line, wanted);
    if (file) fclose(file);
    return found;
}

static const char *param(const struct params *params, const char *key, const char *fallback) {
    for (size_t i = 0; i < params->count; i++)
        if (!strcmp(params->at[i].key, key)) return params->at[i].value;
    return fallback;
}

// Bytes between a file and a slice, which is memory of a GPU or not.
static ssize_t bytes_moved(bool write, int fd, const struct desc *slice, int type, size_t bytes, off_t offset) {
    static long long (*device_moves)(int, bool, int, unsigned long long, size_t, long long);
    if (type == DRAM)
        return write ? pwrite(fd, (void *)slice->addr, bytes, offset) : pread(fd, (void *)slice->addr, bytes, offset);
    if (!device_moves) {
        char path[4096];
        void *driver = beside("libcuda.so.1", path, sizeof path) ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
        if (!driver) misuse("memory of a GPU without its driver");
        device_moves = (long long (*)(int, bool, int, unsigned long long, size_t, long long))dlsym(driver, "standin_move");
    }
    long long moved = device_moves((int)slice->dev, write, fd, slice->addr, bytes, offset);
    if (moved < 0) misuse("the driver does not know this memory");
    return moved;
}

static struct desc *add(struct list *list, uintptr_t addr, size_t len, uint64_t dev, const char *meta, size_t bytes) {
    if (list->count == list->room) list->at = realloc(list->at, (list->room = list->room * 2 + 16) * sizeof *list->at);
    struct desc *desc = &list->at[list->count++];
    *desc = (struct desc){addr, len, dev, strndup(meta ? meta : "", bytes), -1, false};
    return desc;
}

static void empty(struct list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->at[i].meta);
    free(list->at);
    *list = (struct list){list->type, NULL, 0, 0};
}

static struct desc *find(struct list *list, uint64_t dev) {
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].dev == dev) return &list->at[i];
    return NULL;
}

// NIXL's grammar; anything else is silently a file descriptor.
static bool path_mode(const char *meta, int *flags, const char **path) {
    const char *colon = strchr(meta, ':');
    if (!colon || !colon[1] || (strncmp(meta, "ro", 2) && strncmp(meta, "rw", 2))) return false;
    *flags = !strncmp(meta, "ro", 2) ? O_RDONLY : O_RDWR;
    *path = colon + 1;
    const char *at = meta + 2;
    while (at < colon) {
        static const struct { const char *word; int flag; } words[] = {
            {",direct", O_DIRECT}, {",sync", O_SYNC}, {",noatime", O_NOATIME}, {",create", O_CREAT}};
        size_t i = 0;
        while (i < 4 && strncmp(at, words[i].word, strlen(words[i].word))) i++;
        if (i == 4) return false;
        *flags |= words[i].flag;
        at += strlen(words[i].word);
    }
    return true;
}

int nixl_capi_create_configured_agent(const char *name, const void *config, void **agent) {
    (void)config;
    struct agent *made = calloc(1, sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    *agent = made;
    return OK;
}

static void close_all(struct list *storage) {
    for (size_t i = 0; i < storage->count; i++)
        if (storage->at[i].owned) close(storage->at[i].fd);
    empty(storage);
}

int nixl_capi_destroy_agent(void *handle) {
    struct agent *agent = handle;
    if (agent->requests) misuse("an agent is destroyed with living requests");
    close_all(&agent->storage);
    empty(&agent->memory);
    free(agent);
    return OK;
}

int nixl_capi_get_available_plugins(void *agent, void **list) {
    (void)agent;
    struct names *names = calloc(1, sizeof *names);
    for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++) names->at[names->count++] = plugins[i].name;
    *list = names;
    return OK;
}
int nixl_capi_string_list_size(void *list, size_t *size) { *size = ((struct names *)list)->count; return OK; }
int nixl_capi_string_list_get(void *list, size_t i, const char **name) { *name = ((struct names *)list)->at[i]; return OK; }
int nixl_capi_destroy_string_list(void *list) { free(list); return OK; }

static const struct plugin *plugin_of(const char *name) {
    for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++)
        if (!strcmp(plugins[i].name, name)) return &plugins[i];
    return NULL;
}

int nixl_capi_get_plugin_params(void *agent, const char *name, void **memories, void **params) {
    (void)agent;
    const struct plugin *plugin = plugin_of(name);
    if (!plugin) return BACKEND;
    *memories = (void *)plugin;
    *params = calloc(1, sizeof(struct params));
    return OK;
}
int nixl_capi_mem_list_size(void *list, size_t *size) { *size = ((struct plugin *)list)->count; return OK; }
int nixl_capi_mem_list_get(void *list, size_t i, int *memory) { *memory = ((struct plugin *)list)->memories[i]; return OK; }
int nixl_capi_destroy_mem_list(void *list) { (void)list; return OK; }

int nixl_capi_create_params(void **params) { *params = calloc(1, sizeof(struct params)); return OK; }
int nixl_capi_params_add(void *handle, const char *key, const char *value) {
    struct params *params = handle;
    params->at[params->count++] = (struct param){strdup(key), strdup(value)};
    return OK;
}
int nixl_capi_params_is_empty(void *params, bool *is) { *is = !((struct params *)params)->count; return OK; }
int nixl_capi_params_create_iterator(void *params, void **iterator) {
    struct iterator *made = calloc(1, sizeof *made);
    made->params = params;
    *iterator = made;
    return OK;
}
int nixl_capi_params_iterator_next(void *handle, const char **key, const char **value, bool *more) {
    struct iterator *at = handle;
    *key = at->params->at[at->next].key;
    *value = at->params->at[at->next++].value;
    *more = at->next < at->params->count;
    return OK;
}
int nixl_capi_params_destroy_iterator(void *iterator) { free(iterator); return OK; }
int nixl_capi_destroy_params(void *params) { free(params); return OK; }

int nixl_capi_create_backend(void *handle, const char *name, void *params, void **backend) {
    struct agent *agent = handle;
    if (!plugin_of(name) || agent->backend || hazard("refuse", name)) return BACKEND;
    if (hazard("crash", name)) abort();
    while (hazard("hang", name)) usleep(1000);
    struct backend *made = calloc(1, sizeof *made);
    snprintf(made->plugin, sizeof made->plugin, "%s", name);
    made->params = *(struct params *)params;
    for (size_t i = 0; i < made->params.count; i++)
        made->params.at[i] = (struct param){strdup(made->params.at[i].key), strdup(made->params.at[i].value)};
    *backend = agent->backend = made;
    return OK;
}
int nixl_capi_destroy_backend(void *backend) { (void)backend; return OK; }
int nixl_capi_create_opt_args(void **opts) { *opts = calloc(1, sizeof(struct opts)); return OK; }
int nixl_capi_opt_args_add_backend(void *opts, void *backend) { ((struct opts *)opts)->backend = backend; return OK; }
int nixl_capi_destroy_opt_args(void *opts) { free(opts); return OK; }

static int create_list(int type, void **list) {
    struct list *made = calloc(1, sizeof *made);
    made->type = type;
    *list = made;
    return OK;
}
int nixl_capi_create_reg_dlist(int type, void **list) { return create_list(type, list); }
int nixl_capi_reg_dlist_add_desc(void *list, uintptr_t addr, size_t len, uint64_t dev, const void *meta, size_t bytes) {
    add(list, addr, len, dev, meta, bytes);
    return OK;
}
int nixl_capi_destroy_reg_dlist(void *list) { empty(list); free(list); return OK; }
int nixl_capi_create_xfer_dlist(int type, void **list) { return create_list(type, list); }
int nixl_capi_xfer_dlist_add_desc(void *list, uintptr_t addr, size_t len, uint64_t dev) {
    add(list, addr, len, dev, NULL, 0);
    return OK;
}
int nixl_capi_destroy_xfer_dlist(void *list) { empty(list); free(list); return OK; }

static int registered(struct agent *agent, const struct desc *asked, int type) {
    if (type == OBJ) {
        add(&agent->storage, 0, 0, asked->dev, asked->meta, strlen(asked->meta));
        return OK;
    }
    int flags;
    const char *path;
    struct desc file = {0, 0, asked->dev, NULL, (int)asked->dev, false};
    if (path_mode(asked->meta, &flags, &path)) {
        if (find(&agent->storage, asked->dev)) return INVALID;
        if ((file.fd = open(path, flags | O_CLOEXEC, 0644)) < 0) return BACKEND;
        file.owned = true;
    }
    if (hazard("reject", agent->backend->plugin)) {
        if (file.owned) close(file.fd);
        return BACKEND;
    }
    struct desc *kept = add(&agent->storage, 0, 0, asked->dev, "", 0);
    kept->fd = file.fd;
    kept->owned = file.owned;
    return OK;
}

static void removed(struct agent *agent, uint64_t dev) {
    struct desc *desc = find(&agent->storage, dev);
    if (desc->owned) close(desc->fd);
    free(desc->meta);
    *desc = agent->storage.at[--agent->storage.count];
}

int nixl_capi_register_mem(void *handle, void *descs, void *opts) {
    struct agent *agent = handle;
    struct list *list = descs;
    if (!opts || ((struct opts *)opts)->backend != agent->backend) return INVALID;
    for (size_t i = 0; i < list->count; i++) {
        if (list->type == DRAM || list->type == VRAM) {
            bool served = false;
            const struct plugin *plugin = plugin_of(agent->backend->plugin);
            for (size_t each = 0; each < plugin->count; each++) served |= plugin->memories[each] == list->type;
            if (!served) return BACKEND;
            struct desc *kept = add(&agent->memory, list->at[i].addr, list->at[i].len, list->at[i].dev, NULL, 0);
            kept->fd = list->type;
        } else if (registered(agent, &list->at[i], list->type) != OK) {
            while (i-- > 0) removed(agent, list->at[i].dev);
            return BACKEND;
        }
    }
    return OK;
}

int nixl_capi_deregister_mem(void *handle, void *descs, void *opts) {
    struct agent *agent = handle;
    struct list *list = descs;
    (void)opts;
    if (agent->requests) misuse("files are deregistered below a living request");
    for (size_t i = 0; i < list->count; i++)
        if (!find(&agent->storage, list->at[i].dev)) return NOT_FOUND;
    for (size_t i = 0; i < list->count; i++) removed(agent, list->at[i].dev);
    return OK;
}

static bool covered(const struct agent *agent, const struct desc *desc, int type) {
    for (size_t i = 0; i < agent->memory.count; i++)
        if (agent->memory.at[i].fd == type && agent->memory.at[i].dev == desc->dev && desc->addr >= agent->memory.at[i].addr && desc->addr + desc->len <= agent->memory.at[i].addr + agent->memory.at[i].len)
            return true;
    return false;
}

int nixl_capi_create_xfer_req(void *handle, int write, void *local, void *remote, const char *name, void **request, void *opts) {
    struct agent *agent = handle;
    struct list *from = local, *to = remote;
    (void)opts;
    if (strcmp(name, agent->name) || from->count != to->count || !from->count) return BACKEND;
    size_t bytes = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (from->at[i].len != to->at[i].len || !covered(agent, &from->at[i], from->type) || !find(&agent->storage, to->at[i].dev)) return BACKEND;
        bytes += from->at[i].len;
    }
    struct request *made = calloc(1, sizeof *made);
    made->write = write;
    made->local.type = from->type;
    made->remote.type = to->type;
    if (write && !strcmp(agent->backend->plugin, "HF3FS")) made->copied = malloc(bytes); // copies when a request is made
    for (size_t i = 0, at = 0; i < from->count; at += from->at[i++].len) {
        uintptr_t addr = from->at[i].addr;
        if (made->copied) addr = (uintptr_t)memcpy(made->copied + at, (void *)addr, from->at[i].len);
        add(&made->local, addr, from->at[i].len, from->at[i].dev, NULL, 0);
        add(&made->remote, to->at[i].addr, to->at[i].len, to->at[i].dev, NULL, 0);
    }
    agent->requests++;
    *request = made;
    return OK;
}

int nixl_capi_post_xfer_req(void *handle, void *posted, void *opts) {
    struct agent *agent = handle;
    struct request *request = posted;
    (void)opts;
    request->posted = true;
    request->status = IN_PROG;
    if (!strcmp(agent->backend->plugin, "GDS")) {
        size_t ceiling = strtoull(param(&agent->backend->params, "batch_pool_size", "16"), NULL, 10)
                         * strtoull(param(&agent->backend->params, "batch_limit", "128"), NULL, 10);
        size_t most = strtoull(param(&agent->backend->params, "max_request_size", "16777216"), NULL, 10), pieces = 0;
        for (size_t i = 0; i < request->local.count; i++) pieces += (request->local.at[i].len + most - 1) / most;
        if (pieces > ceiling) request->status = BACKEND;
    }
    return request->status;
}

static void object_path(const struct agent *agent, const char *key, char *path, size_t size) {
    snprintf(path, size, "%s/%s", param(&agent->backend->params, "device_name", "/nonexistent"), key);
}

static bool move_object(struct agent *agent, struct request *request, size_t i) {
    char path[4096], temporary[4200];
    struct desc *slice = &request->local.at[i];
    object_path(agent, find(&agent->storage, request->remote.at[i].dev)->meta, path, sizeof path);
    if (!request->write) {
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) return !strcmp(param(&agent->backend->params, "ignore_read_not_found", "false"), "true");
        ssize_t got = bytes_moved(false, fd, slice, request->local.type, slice->len, 0); // another length is a success
        close(fd);
        return got >= 0;
    }
    snprintf(temporary, sizeof temporary, "%s.%d.%p", path, getpid(), (void *)request);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return false;
    bool whole = bytes_moved(true, fd, slice, request->local.type, slice->len, 0) == (ssize_t)slice->len;
    close(fd);
    if (whole) return !rename(temporary, path);
    unlink(temporary);
    return false;
}

// Whether the plugin takes it for a success.
static bool move(struct agent *agent, struct request *request, size_t i) {
    const char *plugin = agent->backend->plugin;
    struct desc *slice = &request->local.at[i], *file = &request->remote.at[i];
    if (request->remote.type == OBJ) return move_object(agent, request, i);
    int fd = find(&agent->storage, file->dev)->fd;
    bool cut = !request->write && slice->len > 4096 && hazard("short", plugin); // a trial of one page goes well
    size_t bytes = cut ? slice->len / 2 : slice->len;
    ssize_t moved = bytes_moved(request->write, fd, slice, request->local.type, bytes, (off_t)file->addr);
    if (!strcmp(plugin, "GDS")) return true;               // counts events, whatever they say
    if (!strcmp(plugin, "HF3FS")) return moved >= 0;       // short ones count
    return moved == (ssize_t)slice->len;                   // GDS_MT
}

int nixl_capi_get_xfer_status(void *handle, void *polled) {
    struct request *request = polled;
    if (!request->posted) return BACKEND;
    for (int i = 0; i < 64 && request->status == IN_PROG; i++) {
        if (request->next == request->local.count) request->status = OK;
        else if (!move(handle, request, request->next++)) request->status = BACKEND;
    }
    return request->status;
}

int nixl_capi_release_xfer_req(void *handle, void *released) {
    struct request *request = released;
    if (request->posted && request->status == IN_PROG) misuse("a request is released in flight");
    ((struct agent *)handle)->requests--;
    empty(&request->local);
    empty(&request->remote);
    free(request->copied);
    return OK;
}
int nixl_capi_destroy_xfer_req(void *request) { free(request); return OK; }

int nixl_capi_create_query_resp_list(void **list) { *list = calloc(1, sizeof(struct answers)); return OK; }
int nixl_capi_query_mem(void *handle, void *descs, void *list, void *opts) {
    struct agent *agent = handle;
    struct list *asked = descs;
    struct answers *answers = list;
    if (!opts) return INVALID;
    answers->present = calloc(asked->count, sizeof(bool));
    answers->count = asked->count;
    bool assumed = !strcmp(param(&agent->backend->params, "query_mem_mode", "assume_success"), "assume_success");
    for (size_t i = 0; i < asked->count; i++) {
        char path[4096];
        if (asked->type == OBJ) object_path(agent, asked->at[i].meta, path, sizeof path);
        else snprintf(path, sizeof path, "%s", asked->at[i].meta);
        answers->present[i] = (asked->type == OBJ && assumed) || !access(path, F_OK);
    }
    return OK;
}
int nixl_capi_query_resp_list_has_value(void *list, size_t i, bool *has) { *has = ((struct answers *)list)->present[i]; return OK; }
int nixl_capi_destroy_query_resp_list(void *list) { free(((struct answers *)list)->present); free(list); return OK; }
