// A FUSE file system that passes everything through to a folder, by the kernel's own protocol, for tests that stop or kill it.
//   passing_fs SOURCE MOUNTPOINT        says "ready", serves until it is unmounted
// One thread; a node is an O_PATH descriptor. Protocol: linux/fuse.h, version 7.31. Needs root.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_BYTES = 128 << 10, REQUEST_BYTES = MOST_BYTES + 8192 };

struct node {
    int file;
    dev_t device;
    ino_t inode;
    uint64_t lookups;
    struct node *next;
};

static int device;
static struct node root;
static struct node *nodes;
static _Alignas(8) char request[REQUEST_BYTES];
static _Alignas(8) char data[MOST_BYTES];

static struct node *node_of(uint64_t id) { return id == FUSE_ROOT_ID ? &root : (struct node *)(uintptr_t)id; }

// The path by which the file of a node can be opened again, whatever it is called now.
static const char *self(const struct node *node) {
    static char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", node->file);
    return path;
}

static void answer(uint64_t unique, int error, const void *body, size_t bytes) {
    struct fuse_out_header header = {.len = (uint32_t)(sizeof header + bytes), .error = -error, .unique = unique};
    struct iovec parts[] = {{&header, sizeof header}, {(void *)body, bytes}};
    if (writev(device, parts, bytes > 0 ? 2 : 1) < 0 && errno != ENOENT) {
        perror("answer");
    }
}

static void answer_result(uint64_t unique, int result) { answer(unique, result < 0 ? errno : 0, NULL, 0); }

static struct fuse_attr attributes(const struct stat *from) {
    return (struct fuse_attr){.ino = from->st_ino, .size = (uint64_t)from->st_size, .blocks = (uint64_t)from->st_blocks,
        .atime = (uint64_t)from->st_atim.tv_sec, .atimensec = (uint32_t)from->st_atim.tv_nsec,
        .mtime = (uint64_t)from->st_mtim.tv_sec, .mtimensec = (uint32_t)from->st_mtim.tv_nsec,
        .ctime = (uint64_t)from->st_ctim.tv_sec, .ctimensec = (uint32_t)from->st_ctim.tv_nsec,
        .mode = from->st_mode, .nlink = (uint32_t)from->st_nlink, .uid = from->st_uid, .gid = from->st_gid,
        .rdev = (uint32_t)from->st_rdev, .blksize = (uint32_t)from->st_blksize};
}

// Finds the node of a name, making one. False with errno.
static int enter(const struct node *parent, const char *name, struct fuse_entry_out *into) {
    int file = openat(parent->file, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat found;
    if (file < 0 || fstatat(file, "", &found, AT_EMPTY_PATH) != 0) {
        return 0;
    }
    struct node *node = nodes;
    while (node != NULL && (node->device != found.st_dev || node->inode != found.st_ino)) {
        node = node->next;
    }
    if (node != NULL) {
        close(file);
    } else {
        node = calloc(1, sizeof *node);
        *node = (struct node){file, found.st_dev, found.st_ino, 0, nodes};
        nodes = node;
    }
    node->lookups++;
    memset(into, 0, sizeof *into);
    into->nodeid = (uint64_t)(uintptr_t)node;
    into->attr = attributes(&found);
    return 1;
}

static void answer_entry(uint64_t unique, const struct node *parent, const char *name, int result) {
    struct fuse_entry_out entry;
    if (result < 0 || !enter(parent, name, &entry)) {
        answer(unique, errno, NULL, 0);
    } else {
        answer(unique, 0, &entry, sizeof entry);
    }
}

static void forget(uint64_t id, uint64_t lookups) {
    struct node *node = node_of(id);
    if (node == &root || (node->lookups -= lookups) > 0) {
        return;
    }
    struct node **at = &nodes;
    while (*at != node) {
        at = &(*at)->next;
    }
    *at = node->next;
    close(node->file);
    free(node);
}

static void answer_attributes(uint64_t unique, const struct node *node) {
    struct stat found;
    if (fstatat(node->file, "", &found, AT_EMPTY_PATH) != 0) {
        answer(unique, errno, NULL, 0);
        return;
    }
    struct fuse_attr_out out = {.attr = attributes(&found)};
    answer(unique, 0, &out, sizeof out);
}

static void set_attributes(uint64_t unique, const struct node *node, const struct fuse_setattr_in *in) {
    int result = 0;
    if (in->valid & FATTR_MODE) {
        result = chmod(self(node), in->mode & 07777);
    }
    if (result == 0 && (in->valid & FATTR_SIZE)) {
        result = truncate(self(node), (off_t)in->size);
    }
    if (result < 0) {
        answer(unique, errno, NULL, 0);
    } else {
        answer_attributes(unique, node);
    }
}

static void answer_open(uint64_t unique, intptr_t handle, int failed) {
    struct fuse_open_out out = {.fh = (uint64_t)handle};
    answer(unique, failed ? errno : 0, &out, failed ? 0 : sizeof out);
}

static void create(uint64_t unique, const struct node *parent, const struct fuse_create_in *in, const char *name) {
    struct {
        struct fuse_entry_out entry;
        struct fuse_open_out open;
    } out;
    memset(&out, 0, sizeof out);
    int file = openat(parent->file, name, (int)((in->flags | O_CREAT) & ~(uint32_t)O_DIRECT) | O_NOFOLLOW | O_CLOEXEC, in->mode);
    if (file < 0 || !enter(parent, name, &out.entry)) {
        answer(unique, errno, NULL, 0);
        return;
    }
    out.open.fh = (uint64_t)file;
    answer(unique, 0, &out, sizeof out);
}

static void read_directory(uint64_t unique, const struct fuse_read_in *in) {
    DIR *directory = (DIR *)(uintptr_t)in->fh;
    size_t room = in->size < MOST_BYTES ? in->size : MOST_BYTES;
    size_t used = 0;
    seekdir(directory, (long)in->offset);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        size_t length = strlen(entry->d_name);
        size_t bytes = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + length);
        if (used + bytes > room) {
            break;
        }
        struct fuse_dirent *to = (struct fuse_dirent *)(data + used);
        memset(to, 0, bytes);
        to->ino = entry->d_ino;
        to->off = (uint64_t)entry->d_off;
        to->namelen = (uint32_t)length;
        to->type = entry->d_type;
        memcpy(to->name, entry->d_name, length);
        used += bytes;
    }
    answer(unique, 0, data, used);
}

static void answer_moved(uint64_t unique, ssize_t moved, int wrote) {
    struct fuse_write_out out = {.size = (uint32_t)moved};
    if (moved < 0) {
        answer(unique, errno, NULL, 0);
    } else if (wrote) {
        answer(unique, 0, &out, sizeof out);
    } else {
        answer(unique, 0, data, (size_t)moved);
    }
}

static void statistics(uint64_t unique) {
    struct statfs found;
    if (fstatfs(root.file, &found) != 0) {
        answer(unique, errno, NULL, 0);
        return;
    }
    struct fuse_statfs_out out = {.st = {.blocks = found.f_blocks, .bfree = found.f_bfree, .bavail = found.f_bavail,
        .files = found.f_files, .ffree = found.f_ffree, .bsize = (uint32_t)found.f_bsize,
        .namelen = (uint32_t)found.f_namelen, .frsize = (uint32_t)found.f_frsize}};
    answer(unique, 0, &out, sizeof out);
}

static void start(uint64_t unique, const struct fuse_init_in *in) {
    struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION, .minor = 31, .max_readahead = in->max_readahead,
        .flags = FUSE_ASYNC_READ | FUSE_BIG_WRITES, .max_background = 16, .congestion_threshold = 12,
        .max_write = MOST_BYTES, .time_gran = 1};
    answer(unique, 0, &out, sizeof out);
}

static void serve(const struct fuse_in_header *in, const char *body) {
    uint64_t unique = in->unique;
    struct node *node = in->nodeid == 0 ? NULL : node_of(in->nodeid);
    const struct fuse_read_in *reading = (const void *)body;
    const struct fuse_write_in *writing = (const void *)body;
    switch (in->opcode) {
        case FUSE_INIT:
            start(unique, (const void *)body);
            break;
        case FUSE_DESTROY:
            exit(0);
        case FUSE_INTERRUPT:
            break;
        case FUSE_FORGET:
            forget(in->nodeid, ((const struct fuse_forget_in *)body)->nlookup);
            break;
        case FUSE_BATCH_FORGET: {
            const struct fuse_batch_forget_in *batch = (const void *)body;
            const struct fuse_forget_one *one = (const void *)(batch + 1);
            for (uint32_t i = 0; i < batch->count; i++) {
                forget(one[i].nodeid, one[i].nlookup);
            }
            break;
        }
        case FUSE_LOOKUP:
            answer_entry(unique, node, body, 0);
            break;
        case FUSE_GETATTR:
            answer_attributes(unique, node);
            break;
        case FUSE_SETATTR:
            set_attributes(unique, node, (const void *)body);
            break;
        case FUSE_MKDIR: {
            const char *name = body + sizeof(struct fuse_mkdir_in);
            answer_entry(unique, node, name, mkdirat(node->file, name, ((const struct fuse_mkdir_in *)body)->mode));
            break;
        }
        case FUSE_UNLINK:
            answer_result(unique, unlinkat(node->file, body, 0));
            break;
        case FUSE_RMDIR:
            answer_result(unique, unlinkat(node->file, body, AT_REMOVEDIR));
            break;
        case FUSE_RENAME: {
            const char *from = body + sizeof(struct fuse_rename_in);
            const struct node *target = node_of(((const struct fuse_rename_in *)body)->newdir);
            answer_result(unique, renameat(node->file, from, target->file, from + strlen(from) + 1));
            break;
        }
        case FUSE_RENAME2: {
            const struct fuse_rename2_in *how = (const void *)body;
            const char *from = body + sizeof *how;
            answer_result(unique, (int)syscall(SYS_renameat2, node->file, from, node_of(how->newdir)->file,
                                               from + strlen(from) + 1, how->flags));
            break;
        }
        case FUSE_LINK: {
            const struct node *old = node_of(((const struct fuse_link_in *)body)->oldnodeid);
            const char *name = body + sizeof(struct fuse_link_in);
            answer_entry(unique, node, name, linkat(AT_FDCWD, self(old), node->file, name, AT_SYMLINK_FOLLOW));
            break;
        }
        case FUSE_OPEN: {
            int flags = (int)(((const struct fuse_open_in *)body)->flags & ~(uint32_t)(O_NOFOLLOW | O_DIRECT));
            int file = open(self(node), flags | O_CLOEXEC);
            answer_open(unique, file, file < 0);
            break;
        }
        case FUSE_CREATE:
            create(unique, node, (const void *)body, body + sizeof(struct fuse_create_in));
            break;
        case FUSE_READ:
            answer_moved(unique, pread((int)reading->fh, data, reading->size < MOST_BYTES ? reading->size : MOST_BYTES,
                                       (off_t)reading->offset), 0);
            break;
        case FUSE_WRITE:
            answer_moved(unique, pwrite((int)writing->fh, writing + 1, writing->size, (off_t)writing->offset), 1);
            break;
        case FUSE_RELEASE:
            answer_result(unique, close((int)((const struct fuse_release_in *)body)->fh));
            break;
        case FUSE_FSYNC:
            answer_result(unique, fsync((int)((const struct fuse_fsync_in *)body)->fh));
            break;
        case FUSE_FSYNCDIR:
            answer_result(unique, fsync(dirfd((DIR *)(uintptr_t)((const struct fuse_fsync_in *)body)->fh)));
            break;
        case FUSE_FLUSH:
            answer(unique, 0, NULL, 0);
            break;
        case FUSE_OPENDIR: {
            DIR *directory = opendir(self(node));
            answer_open(unique, (intptr_t)directory, directory == NULL);
            break;
        }
        case FUSE_READDIR:
            read_directory(unique, reading);
            break;
        case FUSE_RELEASEDIR:
            answer_result(unique, closedir((DIR *)(uintptr_t)((const struct fuse_release_in *)body)->fh));
            break;
        case FUSE_STATFS:
            statistics(unique);
            break;
        default:
            answer(unique, ENOSYS, NULL, 0);
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: %s SOURCE MOUNTPOINT\n", arguments[0]);
        return 2;
    }
    umask(0);
    root.file = open(arguments[1], O_PATH | O_DIRECTORY | O_CLOEXEC);
    device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    char options[128];
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions", device);
    if (root.file < 0 || device < 0
        || mount("passing_fs", arguments[2], "fuse", MS_NOSUID | MS_NODEV, options) != 0) {
        perror("passing_fs");
        return 1;
    }
    puts("ready");
    fflush(stdout);
    while (1) {
        ssize_t bytes = read(device, request, sizeof request);
        if (bytes >= (ssize_t)sizeof(struct fuse_in_header)) {
            serve((const struct fuse_in_header *)request, request + sizeof(struct fuse_in_header));
        } else if (bytes < 0 && errno != EINTR && errno != ENOENT && errno != EAGAIN) {
            return errno == ENODEV ? 0 : 1;  // unmounted
        }
    }
}
