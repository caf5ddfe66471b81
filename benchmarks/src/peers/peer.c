#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };

char peer_reason[PEER_TEXT];
static FILE *answers;

bool peer_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(peer_reason, sizeof peer_reason, format, arguments);
    va_end(arguments);
    for (char *c = peer_reason; *c; c++) {
        if (*c == '\n' || *c == '\r') *c = ' ';
    }
    return false;
}

bool peer_path(const struct batch *batch, long round, int object, char path[PATH_MAX]) {
    int length = snprintf(path, PATH_MAX, "%s/%ld_%d.bin", batch->dir, round, object);
    return (length > 0 && length < PATH_MAX) || peer_fail("the path of object %d in %s is too long", object, batch->dir);
}

void peer_open_protocol(void) {
    answers = fdopen(dup(STDOUT_FILENO), "w");
    if (!answers || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        perror("stdout");
        exit(1);
    }
}

int peer_refuse(void) {
    fprintf(answers, "failed %s\n", peer_reason);
    fflush(answers);
    return 1;
}

static long long nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static unsigned char pattern(int object, size_t offset) {
    return (unsigned char)(object * 131 + offset * 7 + (offset >> 8));
}

static void forget(const struct peer *peer, struct batch *batch) {
    if (!batch->memory) return;
    peer->forget(batch);
    free(batch->memory);
    memset(batch, 0, sizeof *batch);
}

static bool prepare(const struct peer *peer, struct batch *batch, const char *arguments) {
    struct batch wanted = {0};
    char mode[16];
    int dir = 0;
    if (sscanf(arguments, "%d %zu %15s %n", &wanted.objects, &wanted.bytes, mode, &dir) < 3 || !dir || !arguments[dir])
        return peer_fail("usage: prepare OBJECTS BYTES direct|buffered|objects DIR");
    wanted.direct = !strcmp(mode, "direct");
    wanted.in_store = !strcmp(mode, "objects");
    if (!wanted.direct && !wanted.in_store && strcmp(mode, "buffered"))
        return peer_fail("the mode is direct, buffered or objects, not %s", mode);
    if (wanted.objects < 1 || wanted.bytes < 1 || wanted.bytes > SIZE_MAX / 2 / (size_t)wanted.objects)
        return peer_fail("%d objects of %zu bytes are no batch", wanted.objects, wanted.bytes);
    if (snprintf(wanted.dir, sizeof wanted.dir, "%s", arguments + dir) >= (int)sizeof wanted.dir)
        return peer_fail("the directory's path is too long");
    forget(peer, batch);
    if (posix_memalign((void **)&wanted.memory, PAGE, wanted.objects * wanted.bytes))
        return peer_fail("no memory for %d objects of %zu bytes", wanted.objects, wanted.bytes);
    for (int i = 0; i < wanted.objects; i++) {
        for (size_t j = 0; j < wanted.bytes; j++) wanted.memory[i * wanted.bytes + j] = pattern(i, j);
    }
    if (!peer->prepare(&wanted)) {
        free(wanted.memory);
        return false;
    }
    *batch = wanted;
    return true;
}

static bool timed(const struct peer *peer, const struct batch *batch, bool store, long round, long long *nanos) {
    long long start = nanoseconds();
    if (!peer->transfer(batch, store, round)) return false;
    *nanos = nanoseconds() - start;
    return true;
}

static bool verify(const struct peer *peer, const struct batch *batch, long round) {
    memset(batch->memory, 0, batch->objects * batch->bytes);
    if (!peer->transfer(batch, false, round)) return false;
    for (int i = 0; i < batch->objects; i++) {
        for (size_t j = 0; j < batch->bytes; j++) {
            if (batch->memory[i * batch->bytes + j] != pattern(i, j))
                return peer_fail("byte %zu of object %d is wrong after a load", j, i);
        }
    }
    return true;
}

static bool drop(const struct batch *batch, long round) {
    char path[PATH_MAX];
    for (int i = 0; i < batch->objects && !batch->in_store; i++) {
        if (!peer_path(batch, round, i, path)) return false;
        if (unlink(path) && errno != ENOENT) return peer_fail("%s: %s", path, strerror(errno));
    }
    return true;
}

static bool answer(const struct peer *peer, struct batch *batch, const char *line, long long *nanos) {
    char verb[16];
    int rest = 0;
    if (sscanf(line, "%15s %n", verb, &rest) < 1) return peer_fail("an empty line is no command");
    if (!strcmp(verb, "quit")) return true;
    if (!strcmp(verb, "prepare")) return prepare(peer, batch, line + rest);
    bool store = !strcmp(verb, "store"), load = !strcmp(verb, "load"), check = !strcmp(verb, "verify");
    if (!store && !load && !check && strcmp(verb, "drop")) return peer_fail("no command is called %s", verb);
    char *end;
    long round = strtol(line + rest, &end, 10);
    if (end == line + rest || *end) return peer_fail("%s needs the number of a round", verb);
    if (!batch->memory) return peer_fail("%s before prepare", verb);
    if (store || load) return timed(peer, batch, store, round, nanos);
    return check ? verify(peer, batch, round) : drop(batch, round);
}

int peer_serve(const struct peer *peer) {
    static struct batch batch;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool quit = false;
    fprintf(answers, "ready %s %s %d\n", peer->name, peer->version, peer->threads);
    fflush(answers);
    while (!quit && (length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        long long nanos = 0;
        if (answer(peer, &batch, line, &nanos)) fprintf(answers, "ok %lld\n", nanos);
        else fprintf(answers, "failed %s\n", peer_reason);
        fflush(answers);
        quit = !strcmp(line, "quit");
    }
    free(line);
    forget(peer, &batch);
    return 0;
}
