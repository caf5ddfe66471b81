// The plain limit of a machine: THREADS threads that move whole files with system calls and nothing else. A store is open,
// pwrite, close and renameat2 without replacing; a load is open, pread, close. With "slots" objects are slots of one preallocated
// file, moved by pwrite and pread alone; it has room for two batches, and rounds take turns in them. The threads live as long as
// the process.
//
//   syscalls_peer THREADS [slots]        then the line protocol of peer.h
#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 256, SLOT_ROUNDS = 2 };

static bool in_slots;
static int slots = -1; // the file of slots

static struct {
    pthread_barrier_t start, end;
    const struct batch *batch;
    bool store;
    long round;
    atomic_int next;   // the next object that no thread has taken
    atomic_int failed; // set by the first failure, whose reason is kept
} job;

static void failed(const char *what, const char *path, int code) {
    int none = 0;
    if (atomic_compare_exchange_strong(&job.failed, &none, 1)) peer_fail("%s %s: %s", what, path, strerror(code));
}

static bool moved(const char *what, const char *path, ssize_t done, size_t bytes) {
    if (done == (ssize_t)bytes) return true;
    failed(what, path, done < 0 ? errno : EIO);
    return false;
}

static void store(const char *path, const unsigned char *data, size_t bytes, int flags) {
    char temporary[PATH_MAX + 8];
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    int file = open(temporary, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);
    if (file < 0) {
        failed("open", temporary, errno);
        return;
    }
    bool whole = moved("pwrite", temporary, pwrite(file, data, bytes, 0), bytes);
    if (close(file) && whole) {
        failed("close", temporary, errno);
        whole = false;
    }
    if (whole && renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE)) {
        failed("renameat2", path, errno);
        whole = false;
    }
    if (!whole) unlink(temporary);
}

static void load(const char *path, unsigned char *data, size_t bytes, int flags) {
    int file = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (file < 0) {
        failed("open", path, errno);
        return;
    }
    moved("pread", path, pread(file, data, bytes, 0), bytes);
    close(file);
}

static void slot(const struct batch *batch, int object, unsigned char *data) {
    off_t at = ((off_t)(job.round % SLOT_ROUNDS) * batch->objects + object) * (off_t)batch->bytes;
    if (job.store) moved("pwrite", "to a slot", pwrite(slots, data, batch->bytes, at), batch->bytes);
    else moved("pread", "of a slot", pread(slots, data, batch->bytes, at), batch->bytes);
}

static void *work(void *unused) {
    (void)unused;
    char path[PATH_MAX];
    for (;;) {
        pthread_barrier_wait(&job.start);
        const struct batch *batch = job.batch;
        int flags = batch->direct ? O_DIRECT : 0;
        for (int i; (i = atomic_fetch_add(&job.next, 1)) < batch->objects && !atomic_load(&job.failed);) {
            unsigned char *data = batch->memory + i * batch->bytes;
            if (in_slots) slot(batch, i, data);
            else if (snprintf(path, sizeof path, "%s/%ld_%d.bin", batch->dir, job.round, i) >= (int)sizeof path)
                failed("path of", batch->dir, ENAMETOOLONG);
            else if (job.store) store(path, data, batch->bytes, flags);
            else load(path, data, batch->bytes, flags);
        }
        pthread_barrier_wait(&job.end);
    }
    return NULL;
}

static bool transfer(const struct batch *batch, bool is_store, long round) {
    job.batch = batch;
    job.store = is_store;
    job.round = round;
    atomic_store(&job.next, 0);
    atomic_store(&job.failed, 0);
    pthread_barrier_wait(&job.start);
    pthread_barrier_wait(&job.end);
    return !atomic_load(&job.failed);
}

static bool prepare(const struct batch *batch) {
    if (!in_slots) return true;
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/slots", batch->dir);
    slots = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | (batch->direct ? O_DIRECT : 0), 0644);
    if (slots < 0) return peer_fail("open %s: %s", path, strerror(errno));
    // written, not only allocated: the first write of a block costs more than later ones
    for (long round = 0; round < SLOT_ROUNDS; round++) {
        if (!transfer(batch, true, round)) return false;
    }
    return true;
}

static void forget(const struct batch *batch) {
    (void)batch;
    if (slots >= 0) close(slots);
    slots = -1;
}

int main(int argc, char **argv) {
    peer_open_protocol();
    in_slots = argc == 3 && !strcmp(argv[2], "slots");
    int threads = argc == 2 || in_slots ? atoi(argv[1]) : 0;
    if (threads < 1 || threads > MAX_THREADS) {
        peer_fail("usage: syscalls_peer THREADS [slots], 1 to %d threads", MAX_THREADS);
        return peer_refuse();
    }
    pthread_barrier_init(&job.start, NULL, threads + 1);
    pthread_barrier_init(&job.end, NULL, threads + 1);
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        int code = pthread_create(&thread, NULL, work, NULL);
        if (code) {
            peer_fail("pthread_create: %s", strerror(code));
            return peer_refuse();
        }
        pthread_detach(thread);
    }
    struct peer peer = {in_slots ? "slots" : "syscalls", "1", threads, prepare, forget, transfer};
    return peer_serve(&peer);
}
