// A stand-in for CUDA's driver library, libcuda.so.1, where there is no GPU: the part that nixlkv uses. Memory of a device is a file in
// memory that is mapped twice: the addresses it gives out cannot be touched by the processor, so whoever follows one is killed by
// SIGSEGV, and the driver itself uses the other mapping. Calls abort on misuse that the real driver does not forgive. Tests build it
// with gcc.
//
// A file "hazards" beside the library has lines "WORD NUMBER": devices (how many, 2 unless it says), memory (bytes of each device, 1 GiB
// unless it says), init (what cuInit answers), copies (after so many copies each fails with 719).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef unsigned long long address;

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_CONTEXT = 201, LAUNCH_FAILED = 719 };
enum { MOST = 4, BLOCK = 512 };
#define DEVICE_BYTES (2ull << 30)

struct allocation { address from; size_t bytes; struct allocation *next; };
struct device { char *hidden; char *shown; size_t used, memory; int retained; struct allocation *first; };

static struct device devices[MOST];
static long long count = -1, copies_left = -1;
static bool ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread struct device *stack[16];
static __thread int depth;

static void misuse(const char *what) {
    fprintf(stderr, "cuda stand-in: %s\n", what);
    abort();
}

static long long hazard(const char *word, long long fallback) {
    Dl_info info;
    char path[4096], line[128], found[128];
    long long number;
    if (!dladdr((void *)hazard, &info)) return fallback;
    snprintf(path, sizeof path - 8, "%s", info.dli_fname);
    strcpy(strrchr(path, '/') + 1, "hazards");
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%127s %lld", found, &number) == 2 && !strcmp(found, word)) fallback = number;
    if (file) fclose(file);
    return fallback;
}

int cuInit(unsigned flags) {
    (void)flags;
    int answer = (int)hazard("init", OK);
    if (answer != OK || ready) return answer;
    count = hazard("devices", 2);
    copies_left = hazard("copies", -1);
    for (int i = 0; i < count; i++) {
        int file = memfd_create("cuda-standin", MFD_CLOEXEC);
        if (file < 0 || ftruncate(file, (off_t)DEVICE_BYTES)) misuse("no memory for a device");
        devices[i].hidden = mmap(NULL, DEVICE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        devices[i].shown = mmap(NULL, DEVICE_BYTES, PROT_NONE, MAP_SHARED, file, 0);
        if (devices[i].hidden == MAP_FAILED || devices[i].shown == MAP_FAILED) misuse("no addresses for a device");
        close(file);
        devices[i].memory = (size_t)hazard("memory", 1ll << 30);
    }
    ready = true;
    return OK;
}

int cuGetErrorName(int code, const char **name) {
    static const struct { int code; const char *name; } names[] = {
        {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"}, {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
        {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"}, {NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
        {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE"}, {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
        {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code) return *name = names[i].name, OK;
    return INVALID_VALUE;
}

int cuDeviceGetCount(int *number) { return ready ? (*number = (int)count, OK) : NOT_INITIALIZED; }

// handles are not numbers
int cuDeviceGet(int *device, int number) {
    if (number < 0 || number >= count) return INVALID_DEVICE;
    *device = number + 1000;
    return OK;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    pthread_mutex_lock(&mutex);
    devices[device - 1000].retained++;
    pthread_mutex_unlock(&mutex);
    *context = &devices[device - 1000];
    return OK;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
    struct device *of = &devices[device - 1000];
    pthread_mutex_lock(&mutex);
    if (of->retained-- <= 0) misuse("a context is released once too often");
    if (of->retained == 0 && of->first) misuse("a context goes with memory in it");
    pthread_mutex_unlock(&mutex);
    return OK;
}

int cuCtxPushCurrent_v2(void *context) {
    if (((struct device *)context)->retained <= 0) misuse("a context is used after its end");
    if (depth == 16) misuse("contexts are pushed and not popped");
    stack[depth++] = context;
    return OK;
}

int cuCtxPopCurrent_v2(void **context) {
    if (!depth) return INVALID_CONTEXT;
    *context = stack[--depth];
    return OK;
}

static struct device *current(void) { return depth ? stack[depth - 1] : NULL; }

static const struct allocation *in_the_way(const struct device *device, address from, size_t bytes) {
    for (const struct allocation *each = device->first; each; each = each->next)
        if (from < each->from + each->bytes && each->from < from + bytes) return each;
    return NULL;
}

// First fit; the first block stays free, so that an address is aligned to no more than a block.
int cuMemAlloc_v2(address *where, size_t bytes) {
    struct device *device = current();
    if (!device) return INVALID_CONTEXT;
    if (!bytes) return INVALID_VALUE;
    pthread_mutex_lock(&mutex);
    int answer = OUT_OF_MEMORY;
    address from = (address)(uintptr_t)device->shown + BLOCK;
    if (bytes <= device->memory - device->used) {
        for (const struct allocation *other; (other = in_the_way(device, from, bytes));)
            from = (other->from + other->bytes + BLOCK - 1) / BLOCK * BLOCK;
        if (from + bytes <= (address)(uintptr_t)device->shown + DEVICE_BYTES) {
            struct allocation *made = malloc(sizeof *made);
            *made = (struct allocation){from, bytes, device->first};
            device->first = made;
            device->used += bytes;
            *where = from;
            answer = OK;
        }
    }
    pthread_mutex_unlock(&mutex);
    return answer;
}

int cuMemFree_v2(address where) {
    struct device *device = current();
    if (!device) return INVALID_CONTEXT;
    pthread_mutex_lock(&mutex);
    struct allocation **at = &device->first;
    while (*at && (*at)->from != where) at = &(*at)->next;
    struct allocation *found = *at;
    if (found) {
        device->used -= found->bytes;
        *at = found->next;
    }
    pthread_mutex_unlock(&mutex);
    if (!found) return INVALID_VALUE;
    free(found);
    return OK;
}

int cuMemGetInfo_v2(size_t *available, size_t *total) {
    struct device *device = current();
    if (!device) return INVALID_CONTEXT;
    *available = device->memory - device->used;
    *total = device->memory;
    return OK;
}

static struct allocation *around(address where, struct device **of) {
    for (int i = 0; i < count; i++)
        for (struct allocation *each = devices[i].first; each; each = each->next)
            if (where >= each->from && where < each->from + each->bytes) return *of = &devices[i], each;
    return NULL;
}

// Where the driver reaches bytes that are all in one allocation; null if they are not.
static char *hidden(address where, size_t bytes) {
    struct device *of = NULL;
    pthread_mutex_lock(&mutex);
    struct allocation *found = around(where, &of);
    bool inside = found && bytes <= found->from + found->bytes - where;
    pthread_mutex_unlock(&mutex);
    return inside ? of->hidden + (where - (address)(uintptr_t)of->shown) : NULL;
}

static int copied(char *to, const char *from, size_t bytes) {
    if (!current()) return INVALID_CONTEXT;
    if (!to || !from) return INVALID_VALUE;
    if (copies_left >= 0 && __sync_fetch_and_sub(&copies_left, 1) <= 0) {
        copies_left = 0;
        return LAUNCH_FAILED;
    }
    memmove(to, from, bytes);
    return OK;
}

int cuMemcpyHtoD_v2(address to, const void *from, size_t bytes) { return copied(hidden(to, bytes), from, bytes); }
int cuMemcpyDtoH_v2(void *to, address from, size_t bytes) { return copied(to, hidden(from, bytes), bytes); }
int cuMemcpyDtoD_v2(address to, address from, size_t bytes) { return copied(hidden(to, bytes), hidden(from, bytes), bytes); }

int cuMemsetD8_v2(address to, unsigned char value, size_t bytes) {
    char *at = hidden(to, bytes);
    if (!current()) return INVALID_CONTEXT;
    return at ? (memset(at, value, bytes), OK) : INVALID_VALUE;
}

int cuStreamSynchronize(void *stream) {
    (void)stream;
    return current() ? OK : INVALID_CONTEXT;
}

int cuPointerGetAttribute(void *into, int attribute, address where) {
    struct device *of = NULL;
    pthread_mutex_lock(&mutex);
    struct allocation *found = around(where, &of);
    pthread_mutex_unlock(&mutex);
    if (!found) return INVALID_VALUE;
    *(int *)into = attribute == 2 ? 2 : (int)(of - devices); // kind of memory, number of the device
    return OK;
}

int cuMemGetAddressRange_v2(address *base, size_t *bytes, address where) {
    struct device *of = NULL;
    pthread_mutex_lock(&mutex);
    struct allocation *found = around(where, &of);
    pthread_mutex_unlock(&mutex);
    if (!found) return INVALID_VALUE;
    *base = found->from;
    *bytes = found->bytes;
    return OK;
}

// What devices do by themselves: a file's bytes go straight to their memory and from it. For the stand-in of NIXL.
long long standin_move(int device, bool write, int file, address where, size_t bytes, long long offset) {
    char *at = hidden(where, bytes);
    if (!at || device < 0 || device >= count || at < devices[device].hidden || at >= devices[device].hidden + DEVICE_BYTES) return -1;
    return write ? pwrite(file, at, bytes, offset) : pread(file, at, bytes, offset);
}
