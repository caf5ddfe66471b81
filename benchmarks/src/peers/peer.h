// What every native peer of the benchmarks shares: the line protocol on stdin and stdout, the memory of a batch, its byte
// pattern, its file names and the clock.
//
// The harness writes one command a line and reads one answer a line:
//
//   prepare OBJECTS BYTES MODE DIR               ok 0         memory allocated, touched and registered; MODE is direct, buffered
//                                                             or objects, whose names begin with DIR; DIR ends the line
//   store ROUND                                  ok NANOS     the whole batch written under this round's fresh names
//   load ROUND                                   ok NANOS     the whole batch read
//   verify ROUND                                 ok 0         memory cleared, batch read, every byte compared
//   drop ROUND                                   ok 0         the round's files removed; objects stay
//   quit                                         ok 0         and the process ends
//
// Any answer may be "failed REASON" instead. The first line, before any command, is "ready NAME VERSION THREADS" or
// "failed REASON"; THREADS is how many threads of the peer itself move data.
#ifndef NIXLKV_PEER_H
#define NIXLKV_PEER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PEER_TEXT = 512 };

struct batch {
    int objects;
    size_t bytes; // of one object
    bool direct;
    bool in_store; // objects of an object store, not files
    char dir[PATH_MAX];
    unsigned char *memory; // objects * bytes, aligned to pages; object i starts at i * bytes
};

struct peer {
    const char *name;
    const char *version; // without spaces
    int threads;
    // Called after the memory of the batch is there, and before it goes away (forget, if a batch was prepared).
    bool (*prepare)(const struct batch *batch);
    void (*forget)(const struct batch *batch);
    // The timed work. False: peer_reason says why.
    bool (*transfer)(const struct batch *batch, bool store, long round);
};

// The reason of the last failure, one line.
extern char peer_reason[PEER_TEXT];

// Sets peer_reason and returns false.
bool peer_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The file of an object. False if it is too long.
bool peer_path(const struct batch *batch, long round, int object, char path[PATH_MAX]);

// Keeps stdout for answers; whatever a library prints there goes to stderr. Call first.
void peer_open_protocol(void);

// Answers "failed" with peer_reason in place of "ready". Returns the process's exit code.
int peer_refuse(void);

// Serves commands until quit or the end of stdin. Returns the process's exit code.
int peer_serve(const struct peer *peer);

#endif
