// A stand-in for 3FS's libhf3fs_api_shared.so over ordinary files: the functions that nixlkv uses, with the documented behaviour.
// A directory with a folder "3fs-virt/iovs" counts as a mount of 3FS. Transfers are carried out when they are waited for; the file
// "hazards" in 3fs-virt makes every second one short ("short") or lets those beyond 8 MiB of a file fail with EIO ("error").
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct hf3fs_iov { uint8_t *base; void *iovh; char id[16]; char mount_point[256]; size_t size, block_size; int numa; };
struct hf3fs_ior {
    struct hf3fs_iov iov; void *iorh; char mount_point[256]; bool for_read; int io_depth, priority, timeout; uint64_t flags;
};
struct hf3fs_cqe { int32_t index, reserved; int64_t result; const void *userdata; };

struct entry { bool used, submitted; void *ptr; int fd; size_t off; uint64_t len; const void *userdata; };
struct ring { int entries; unsigned turns; struct entry at[]; };

static bool registered[1 << 16];

static bool hazard(const char *mount, const char *word) {
    char path[512], line[64];
    snprintf(path, sizeof path, "%s/3fs-virt/hazards", mount);
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && fgets(line, sizeof line, file)) found |= !strncmp(line, word, strlen(word));
    if (file) fclose(file);
    return found;
}

int hf3fs_extract_mount_point(char *out, int size, const char *path) {
    char mount[4096], virtual[4200];
    snprintf(mount, sizeof mount, "%s", path);
    while (*mount) {
        snprintf(virtual, sizeof virtual, "%s/3fs-virt/iovs", mount);
        struct stat status;
        if (!stat(virtual, &status)) {
            snprintf(out, size, "%s", mount);
            return (int)strlen(mount) + 1;
        }
        *strrchr(mount, '/') = 0;
    }
    return -1;
}

int hf3fs_reg_fd(int fd, uint64_t flags) {
    (void)flags;
    struct stat status;
    if (fd < 0 || fd >= 1 << 16 || fstat(fd, &status)) return EBADF;
    if (registered[fd]) return EINVAL;
    registered[fd] = true;
    return -fd; // the number of the duplicate, negated
}
void hf3fs_dereg_fd(int fd) { registered[fd] = false; }

int hf3fs_iovcreate(struct hf3fs_iov *iov, const char *mount, size_t size, size_t block, int numa) {
    memset(iov, 0, sizeof *iov);
    char *name = malloc(64);
    snprintf(name, 64, "/hf3fs-iov-standin-%d-%p", getpid(), (void *)iov); // stays when the process is killed, as in 3FS
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0) return -EIO;
    iov->base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (iov->base == MAP_FAILED) return -ENOMEM;
    iov->iovh = name;
    snprintf(iov->mount_point, sizeof iov->mount_point, "%s", mount);
    iov->size = size;
    iov->block_size = block;
    iov->numa = numa;
    return 0;
}
void hf3fs_iovunlink(struct hf3fs_iov *iov) { shm_unlink(iov->iovh); }
void hf3fs_iovdestroy(struct hf3fs_iov *iov) {
    munmap(iov->base, iov->size);
    shm_unlink(iov->iovh);
    free(iov->iovh);
}

int hf3fs_iorcreate(struct hf3fs_ior *ior, const char *mount, int entries, bool for_read, int depth, int numa) {
    (void)numa;
    memset(ior, 0, sizeof *ior);
    if (hazard(mount, "noring")) return -ENOENT; // as on a path that is not 3FS
    struct ring *ring = calloc(1, sizeof *ring + entries * sizeof ring->at[0]);
    ring->entries = entries;
    ior->iorh = ring;
    ior->for_read = for_read;
    ior->io_depth = depth;
    snprintf(ior->mount_point, sizeof ior->mount_point, "%s", mount);
    return 0;
}
void hf3fs_iordestroy(struct hf3fs_ior *ior) {
    struct ring *ring = ior->iorh;
    for (int i = 0; i < ring->entries; i++) if (ring->at[i].used) abort(); // destroyed in flight
    free(ring);
}

int hf3fs_prep_io(const struct hf3fs_ior *ior, const struct hf3fs_iov *iov, bool read, void *ptr, int fd, size_t off, uint64_t len,
                  const void *userdata) {
    struct ring *ring = ior->iorh;
    if (read != ior->for_read || !registered[fd]) return -EINVAL;
    if ((uint8_t *)ptr < iov->base || (uint8_t *)ptr + len > iov->base + iov->size) return -EINVAL;
    for (int i = 0; i < ring->entries; i++) {
        if (!ring->at[i].used) {
            ring->at[i] = (struct entry){true, false, ptr, fd, off, len, userdata};
            return i;
        }
    }
    return -EAGAIN;
}

int hf3fs_submit_ios(const struct hf3fs_ior *ior) {
    struct ring *ring = ior->iorh;
    for (int i = 0; i < ring->entries; i++) ring->at[i].submitted |= ring->at[i].used;
    return 0;
}

int hf3fs_wait_for_ios(const struct hf3fs_ior *ior, struct hf3fs_cqe *cqes, int room, int least, const struct timespec *until) {
    (void)least;
    struct ring *ring = ior->iorh;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (until && until->tv_sec < now.tv_sec) return 0; // a deadline of another clock has always passed
    bool cut = hazard(ior->mount_point, "short"), fail = hazard(ior->mount_point, "error");
    int count = 0;
    for (int i = 0; i < ring->entries && count < room; i++) {
        struct entry *entry = &ring->at[i];
        if (!entry->used || !entry->submitted) continue;
        uint64_t len = cut && ring->turns++ % 2 && entry->len > 1 ? entry->len / 2 : entry->len;
        ssize_t moved = fail && entry->off >= 8u << 20 ? -EIO
                        : ior->for_read ? pread(entry->fd, entry->ptr, len, (off_t)entry->off)
                                        : pwrite(entry->fd, entry->ptr, len, (off_t)entry->off);
        if (moved < 0 && moved != -EIO) moved = -errno;
        cqes[count++] = (struct hf3fs_cqe){i, 0, moved, entry->userdata};
        entry->used = false;
    }
    return count;
}
